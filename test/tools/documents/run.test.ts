import { expect, test } from 'vitest';
import type { Plan } from './plan.ts';
import { readText } from './read.ts';
import { needsPrograms, runDocument } from './run.ts';

const documentOf = (...lines: readonly string[]) => readText('a.md', ['```sh', ...lines, '```', ''].join('\n'));

const faultsOf = (lines: readonly string[], plan: Plan = {}): Promise<string[]> =>
  runDocument(documentOf(...lines), { store: 'none', ...plan }, '');

test('a document is right where each command ends with 0 in one shell, with values that earlier ones printed', async () => {
  const values = { ID: (said: (part: string) => string) => said('echo').trim() };
  expect(await faultsOf(['both() {', '  echo 7', '}', 'both # echo', '[ ID = 7 ]'], { values })).toEqual([]);
});

test.each([
  ['a command that fails', ['true', 'false', 'echo later'], {}],
  ['a pipe whose first part fails', ['false | cat', 'echo later'], {}],
  ['a command without its end', ['echo "'], {}],
  ['a command that ends the shell', ['exit 0'], {}],
  ['a refused command that is done', ['true # refused'], { refused: { refused: 1 } }],
  ['a command that does not print what it promises', ['echo no'], { prints: { echo: /yes/ } }],
  ['a plan with more than the document', ['true'], { values: { ID: '1' } }],
])('a document is wrong with %s, and nothing runs after it', async (_, lines, plan) => {
  const faults = await faultsOf(lines, plan);
  expect(faults).toHaveLength(1);
  expect(faults.join()).not.toContain('later');
});

test('a document needs programs where a command that runs calls one', () => {
  expect(needsPrograms(documentOf('npm start', 'curl -sS http://127.0.0.1:8787/healthz'))).toBe(true);
  expect(needsPrograms(documentOf('npm run -s cli -- doctor'))).toBe(false);
});
