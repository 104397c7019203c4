import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ATTACKS } from '../attacks/kinds.ts';
import { readOptions } from '../bench/options.ts';
import { PARTS } from '../bench/parts.ts';
import { standsStill } from '../bench/statistics.ts';
import { row, shapeRows, withColumn } from './page.ts';

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

test('docs/figures.md has the price of both AWS deployments for the license check in its own table', async () => {
  const page = await readFile(PAGE, 'utf8');
  const [, rounds, readUnits, writeUnits] =
    /\| checkLicense \| (\d+) \| ([\d.]+) \| (\d+) \|/.exec(page)?.map(Number) ?? [];
  const rows = shapeRows({ rounds: rounds ?? 0, readUnits: readUnits ?? 0, writeUnits: writeUnits ?? 0 });
  expect(rows).toHaveLength(3);
  for (const cells of rows) expect(page).toContain(row(cells));
});

test('a processor gets its own column and keeps the values that were not measured again', async () => {
  const page = await readFile(PAGE, 'utf8');
  const name = 'license check: CPU vs. a bare route';
  const measured = (value: number, date: string) => ({
    machine: { date, processor: 'Intel of the test, 8 cores', node: 'Node v24', platform: 'linux', load: 'load 0.0' },
    ratios: [{ name, value, bar: 1.6, better: 'lower' as const }],
    figures: {},
    tables: {},
  });
  const first = withColumn(page, measured(2.1, '2026-01-01'));
  const rowOf = (text: string): string[] => text.split('\n').filter((line) => line.startsWith(`| ${name} |`));
  expect(rowOf(first)).toEqual([rowOf(page)[0]?.replace(/$/, ' **2.1** |')]);
  expect(first.match(/ – \|$/gm)).toHaveLength(
    Object.values(PARTS).flatMap((one) => Object.keys(one.ratios)).length - 1,
  );
  const second = withColumn(first, measured(1.5, '2026-02-01'));
  expect(second).toBe(first.replace('**2.1**', '1.5').replace('2026-01-01', '2026-02-01'));
});

test.each([
  ['falls', [9, 8, 7, 6, 5, 4, 3], false],
  ['fell a moment ago', [9, 9, 4, 4, 4, 4], false],
  ['only trembles', [9, 4, 4.3, 4.1, 3.95, 4.6, 5], true],
])('a figure that %s is stable: %j', (_, readings, still) => {
  expect(standsStill(readings)).toBe(still);
});

test('the benchmark refuses an unknown part with a list of the available ones', () => {
  expect(() => readOptions(['--only', 'requests,nothing'], Object.keys(PARTS))).toThrow(
    /^The benchmark has no part "nothing". Name some of these: requests, /,
  );
});
