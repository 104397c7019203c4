import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ATTACKS } from '../attacks/kinds.ts';
import { readOptions } from '../bench/options.ts';
import { PARTS } from '../bench/parts.ts';
import { row, shapeRows } from './page.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'figures.md');

test('docs/figures.md has each ratio of the benchmark with its bar, and each attack, on at most 150 lines', async () => {
  const page = await readFile(PAGE, 'utf8');
  const ratios = Object.values(PARTS).flatMap((one) => Object.entries(one.ratios));
  const lacking = ratios.filter(
    ([name, { bar, better }]) =>
      !page
        .split('\n')
        .some(
          (line) =>
            line.startsWith(`| ${name} |`) && line.includes(`at ${better === 'lower' ? 'most' : 'least'} ${bar} |`),
        ),
  );
  expect(lacking).toEqual([]);
  expect(Object.keys(ATTACKS).filter((name) => !page.includes(`| ${name} |`))).toEqual([]);
  expect(page.split('\n').length).toBeLessThanOrEqual(151);
});

test('docs/figures.md has the price of both shapes of AWS for the license check of its own table', async () => {
  const page = await readFile(PAGE, 'utf8');
  const [, rounds, readUnits, writeUnits] =
    /\| checkLicense \| (\d+) \| ([\d.]+) \| (\d+) \|/.exec(page)?.map(Number) ?? [];
  const rows = shapeRows({ rounds: rounds ?? 0, readUnits: readUnits ?? 0, writeUnits: writeUnits ?? 0 });
  expect(rows).toHaveLength(3);
  for (const cells of rows) expect(page).toContain(row(cells));
});

test('the benchmark refuses an unknown part with a sentence that lists those there are', () => {
  expect(() => readOptions(['--only', 'requests,nothing'], Object.keys(PARTS))).toThrow(
    /^The benchmark has no part "nothing". Name some of these: requests, /,
  );
});
