import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readOptions } from './options.ts';
import { emptyPage, namesOn, PERFORMANCE_PAGE } from './page.ts';
import { PARTS } from './parts.ts';

const parts = Object.values(PARTS);

test('docs/performance.md has the parts, figures, ratios and bars of the benchmark; `npm run -s bench -- --write` writes it', async () => {
  expect(namesOn(await readFile(PERFORMANCE_PAGE, 'utf8'))).toEqual(namesOn(emptyPage(parts)));
});

test('docs/performance.md says how each part is measured', async () => {
  const page = await readFile(PERFORMANCE_PAGE, 'utf8');
  expect(parts.filter(({ text }) => !page.includes(text)).map(({ title }) => title)).toEqual([]);
});

test('no two values of the benchmark have the same name', () => {
  const names = parts.flatMap(({ ratios, figures, tables = [] }) => [...Object.keys(ratios), ...figures, ...tables]);
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
});

test('the benchmark refuses an unknown part with a sentence that lists those there are', () => {
  expect(() => readOptions(['--only', 'requests,nothing'], Object.keys(PARTS))).toThrow(
    /^The benchmark has no part "nothing". Name some of these: requests, /,
  );
});

test('the benchmark refuses to write the page from some of its parts', () => {
  expect(() => readOptions(['--only', 'requests', '--write'], Object.keys(PARTS))).toThrow(
    'The page has all parts: leave out --only or --write.',
  );
});
