import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');

/** An engine is the only example that can't be short. */
const LONG = new Set(['lmdb-engine']);

const read = (path: string): string => readFileSync(join(EXAMPLES, path), 'utf8');
const filesOf = (name: string): string[] => globSync(`${name}/**/*.ts`, { cwd: EXAMPLES });
const sourcesOf = (name: string): string[] => filesOf(name).map(read);
/** The sources without tests, unless tests are the point of the example. */
const programOf = (name: string): string[] =>
  name === 'use-case-test'
    ? sourcesOf(name)
    : filesOf(name)
        .filter((file) => !file.endsWith('.test.ts'))
        .map(read);

const isCode = (line: string): boolean => !/^\s*(\/\/|\/?\*|$)/.test(line);

/** The examples that are separate programs; each has a tsconfig. */
const names = globSync('*/tsconfig.json', { cwd: EXAMPLES }).map(dirname).sort();

test('each example is in the list of examples', () => {
  const missing = names.filter((name) => !read('README.md').includes(`[${name}](${name})`));
  expect(names.length).toBeGreaterThan(2);
  expect(missing).toEqual([]);
});

test.each(names)('the example %s imports the package by name, and nothing else of this repository', (name) => {
  const imported = sourcesOf(name).flatMap((source) => [...source.matchAll(/from '([^']+)'/g)].map(([, from]) => from));
  expect(imported.some((from) => from?.startsWith('account-service'))).toBe(true);
  expect(imported.filter((from) => from?.startsWith('..'))).toEqual([]);
});

test.each(
  names.filter((name) => !LONG.has(name)),
)('the example %s has fewer than 120 lines of code without its tests', (name) => {
  const lines = programOf(name).flatMap((source) => source.split('\n').filter(isCode));
  expect(lines.length).toBeLessThan(120);
});
