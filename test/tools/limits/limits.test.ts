import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VARIABLES } from '../../../runtimes/composition/config.ts';
import { constant, written } from './constant.ts';
import { LIMITS_PAGE, limitsPage } from './files.ts';
import { SECTIONS } from './sections.ts';

test('docs/limits.md has the constants of the code; `npm run -s limits` writes it', async () => {
  expect(await readFile(LIMITS_PAGE, 'utf8')).toBe(limitsPage());
});

test('each setting that the limits name is a variable of the configuration', () => {
  const named = SECTIONS.flatMap(({ rows }) => rows.flatMap(({ setting }) => setting ?? []));
  expect(named.filter((setting) => !VARIABLES.includes(setting))).toEqual([]);
});

test('docs/running.md lists each variable of the configuration', async () => {
  const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'running.md'), 'utf8');
  expect(VARIABLES.filter((variable) => !page.includes(`\`${variable}\``))).toEqual([]);
});

test('a constant is read as the number that the code has, in the units that it is written in', async () => {
  const { FILE_BYTES_A_DAY } = await import('../../../domain/support/ticket.ts');
  expect(constant('domain/support/ticket.ts', 'FILE_BYTES_A_DAY').value).toBe(FILE_BYTES_A_DAY);
  expect(constant('domain/support/ticket.ts', 'JOINED_FOR_MS').value).toBe(86_400_000);
});

test('a limit whose constant is gone is an error that names the file', () => {
  expect(() => constant('domain/support/ticket.ts', 'NO_SUCH_LIMIT')).toThrow('domain/support/ticket.ts');
});

test('a number within an expression is read from its text, and an error names the file that lost it', () => {
  const file = 'adapters/host/host.ts';
  expect(written(file, /\{8,(\d+)\}/)).toEqual({ value: 128, file });
  expect(() => written(file, /no such text (\d+)/)).toThrow(file);
});
