import { describe, expect, test } from 'vitest';
import type { Plan } from './plan.ts';
import { readText } from './read.ts';
import { needsPrograms, runDocument } from './run.ts';

const documentOf = (...lines: readonly string[]) => readText('a.md', ['```sh', ...lines, '```', ''].join('\n'));

const faultsOf = (lines: readonly string[], plan: Plan = {}): Promise<string[]> =>
  runDocument(documentOf(...lines), { store: 'none', ...plan }, '');

describe('a document that is run', () => {
  test('is right where each command ends with 0, in one shell', async () => {
    expect(await faultsOf(['name=a', '[ "$name" = a ]', 'both() {', '  true', '}', 'both'])).toEqual([]);
  });

  test.each([
    ['a command that fails', ['true', 'false', 'echo later']],
    ['a pipe whose first part fails', ['false | cat']],
    ['a command without its end', ['echo "']],
    ['a command that ends the shell', ['exit 0']],
  ])('is wrong with %s, and nothing runs after it', async (_, lines) => {
    const faults = await faultsOf(lines);
    expect(faults).toHaveLength(1);
    expect(faults.join()).not.toContain('later');
  });

  test('takes values from what earlier commands printed', async () => {
    const values = { ID: (said: (part: string) => string) => said('echo').trim() };
    expect(await faultsOf(['echo 7', '[ ID = 7 ]'], { values })).toEqual([]);
  });

  test('is wrong where a refused command is done', async () => {
    expect(await faultsOf(['false # refused'], { refused: { refused: 1 } })).toEqual([]);
    expect(await faultsOf(['true # refused'], { refused: { refused: 1 } })).toHaveLength(1);
  });

  test('is wrong where a command does not print what it promises', async () => {
    expect(await faultsOf(['echo no'], { prints: { echo: /yes/ } })).toHaveLength(1);
  });

  test('is wrong where its plan has more than the document', async () => {
    expect(await faultsOf(['true'], { values: { ID: '1' } })).toEqual(['No command of a.md has "ID" of its plan.']);
  });
});

test('a document needs programs where a command that runs names one', () => {
  expect(needsPrograms(documentOf('npm start', 'curl -sS http://127.0.0.1:8787/healthz'))).toBe(true);
  expect(needsPrograms(documentOf('npm run -s cli -- doctor'))).toBe(false);
});
