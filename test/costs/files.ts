import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { costsDocument } from './document.ts';
import type { Growth } from './growth.ts';
import { type Cost, measureCosts } from './measure.ts';

export const COSTS_PAGE = join(import.meta.dirname, '..', '..', 'docs', 'costs.md');
const GROWTH_RECORD = join(import.meta.dirname, 'growth.json');

/** Reads the last measurement of each table size, the smallest first. */
export const recordedGrowth = async (): Promise<Growth[]> => JSON.parse(await readFile(GROWTH_RECORD, 'utf8'));

/** Saves a measurement in place of the previous one of the same size. */
export const recordGrowth = async (measured: Growth): Promise<void> => {
  const others = (await recordedGrowth()).filter(({ items }) => items !== measured.items);
  const all = [...others, measured].sort((a, b) => a.items - b.items);
  await writeFile(GROWTH_RECORD, `${JSON.stringify(all, null, 2)}\n`);
};

/** Measures every request and writes docs/costs.md. */
export const writeCostsPage = async (): Promise<Cost[]> => {
  const costs = await measureCosts();
  await writeFile(COSTS_PAGE, costsDocument(costs, await recordedGrowth()));
  return costs;
};
