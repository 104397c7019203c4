import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { costsDocument } from './document.ts';
import type { GalleryGrowth } from './gallery-growth.ts';
import type { Growth } from './growth.ts';
import { type Cost, measureCosts } from './measure.ts';

export const COSTS_PAGE = join(import.meta.dirname, '..', '..', 'docs', 'costs.md');
const GROWTH_RECORD = join(import.meta.dirname, 'growth.json');

const GALLERY_RECORD = join(import.meta.dirname, 'gallery-growth.json');

const read = async <T>(file: string): Promise<T[]> => JSON.parse(await readFile(file, 'utf8'));

/** Saves a measurement in place of the previous one of the same size, the smallest size first. */
const record = async <T>(file: string, sizeOf: (one: T) => number, measured: T): Promise<void> => {
  const others = (await read<T>(file)).filter((one) => sizeOf(one) !== sizeOf(measured));
  const all = [...others, measured].sort((a, b) => sizeOf(a) - sizeOf(b));
  await writeFile(file, `${JSON.stringify(all, null, 2)}\n`);
};

/** Reads the last measurement of each table size, the smallest first. */
export const recordedGrowth = (): Promise<Growth[]> => read(GROWTH_RECORD);

export const recordGrowth = (measured: Growth): Promise<void> => record(GROWTH_RECORD, ({ items }) => items, measured);

/** Reads the last measurement of each gallery, the smallest first. */
export const recordedGalleryGrowth = (): Promise<GalleryGrowth[]> => read(GALLERY_RECORD);

export const recordGalleryGrowth = (measured: GalleryGrowth): Promise<void> =>
  record(GALLERY_RECORD, ({ screens }) => screens, measured);

/** Measures every request and writes docs/costs.md. */
export const writeCostsPage = async (): Promise<Cost[]> => {
  const costs = await measureCosts();
  await writeFile(COSTS_PAGE, costsDocument(costs, await recordedGrowth(), await recordedGalleryGrowth()));
  return costs;
};
