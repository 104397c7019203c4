import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { WRONG_ENGINES } from './wrong-engines/engines.ts';
import { RIGHT_ENGINE } from './wrong-engines/opened.ts';
import { RIGHT_DEVICES, RIGHT_LICENSES, WRONG_DEVICES, WRONG_LICENSES } from './wrong-engines/ports.ts';
import type { Ran } from './wrong-engines/run.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

/** The faulty implementations of each contract, by the name of the correct one. */
const CONTRACTS: readonly [string, readonly { readonly name: string; readonly failing: string }[]][] = [
  [RIGHT_ENGINE.name, WRONG_ENGINES],
  [RIGHT_LICENSES, WRONG_LICENSES],
  [RIGHT_DEVICES, WRONG_DEVICES],
];
const WRONG = CONTRACTS.flatMap(([, wrong]) => wrong);
const titlesOf = (wrong: readonly { readonly failing: string }[]): string[] =>
  [...new Set(wrong.map(({ failing }) => failing))].sort();

let ran: readonly Ran[];

const failedBy = (engine: string): string[] =>
  ran.filter((one) => one.engine === engine && !one.passed).map(({ title }) => title);

beforeAll(async () => {
  const pattern = `(${titlesOf(WRONG)
    .map((title) => title.replaceAll(/[\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join('|')})$`;
  const script = join('test', 'adapters', 'wrong-engines', 'run.ts');
  // Vitest behaves differently inside a test.
  const { VITEST: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [script, pattern], { cwd: PROJECT, env });
  ran = JSON.parse(stdout);
});

test.each(CONTRACTS)('the cases that detect faulty implementations pass for %s', (right, wrong) => {
  const titles = ran.filter(({ engine }) => engine === right).map(({ title }) => title);
  expect([...titles].sort()).toEqual(titlesOf(wrong));
  expect(failedBy(right)).toEqual([]);
});

const NAMED = WRONG.map(({ name, failing }) => [failing, name] as const);

test.each(NAMED)('the case “%s” detects %s', (failing, name) => {
  expect(failedBy(name)).toContain(failing);
});
