import { expect, test } from 'vitest';
import type { Plan } from '../tools/documents/plan.ts';
import { readText } from '../tools/documents/read.ts';
import { runDocument } from '../tools/documents/run.ts';

const faultsOf = (lines: readonly string[], plan: Plan = {}): Promise<string[]> =>
  runDocument(readText('a.md', ['```sh', ...lines, '```', ''].join('\n')), { store: 'none', ...plan }, '');

test('a document is right if each command ends with 0 in one shell, with values that earlier ones printed', async () => {
  const values = { ID: (said: (part: string) => string) => said('echo').trim() };
  expect(await faultsOf(['both() {', '  echo 7', '}', 'both # echo', '[ ID = 7 ]'], { values })).toEqual([]);
});

test.each([
  ['a pipe whose first part fails', ['true', 'false | cat', 'echo later'], {}],
  ['a command without its end', ['echo "'], {}],
  ['a refused command that is done', ['true # refused'], { refused: { refused: 1 } }],
  ['a command that does not print what it promises', ['echo no'], { prints: { echo: /yes/ } }],
  ['a plan with more than the document', ['true'], { values: { ID: '1' } }],
])('a document is wrong with %s, and later commands do not run', async (_, lines, plan) => {
  const faults = await faultsOf(lines, plan);
  expect([faults.length, faults.join().includes('later')]).toEqual([1, false]);
});
