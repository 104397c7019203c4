import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installLanguages, LANGUAGES_TIMEOUT } from './harness.ts';

const CLIENTS = join(import.meta.dirname, '..', '..', 'clients');
const BUILT = join(CLIENTS, 'target', 'debug');
const run = promisify(execFile);

let folder: string;

beforeAll(async () => {
  await installLanguages();
  folder = mkdtempSync(join(tmpdir(), 'account-service-abi-'));
}, LANGUAGES_TIMEOUT);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['gcc', 'static', ['-std=c99', '-x', 'c'], [join(BUILT, 'libaccount_service_client.a')]],
  ['g++', 'shared', ['-std=c++17', '-x', 'c++'], [`-L${BUILT}`, `-Wl,-rpath,${BUILT}`, '-laccount_service_client']],
])('a program of %s with the %s library gets an error for each wrong call, and never crashes', async (compiler, kind, language, library) => {
  const program = join(folder, kind);
  const source = join(import.meta.dirname, 'abi.c');
  const flags = ['-Wall', '-Wextra', '-Werror', '-pedantic', '-Wno-comment', '-I', join(CLIENTS, 'c', 'include')];
  await run(compiler, [...flags, ...language, source, '-x', 'none', '-o', program, ...library, '-lm', '-lpthread']);
  expect(await run(program)).toEqual({ stdout: '', stderr: '' });
});

test('the shared library exports only the functions of its header', async () => {
  const { stdout } = await run('nm', ['-D', '--defined-only', join(BUILT, 'libaccount_service_client.so')]);
  const exported = [...stdout.matchAll(/ T (\S+)/g)].map((found) => found[1]);
  expect(exported.filter((name) => !name?.startsWith('asc_'))).toEqual([]);
  const header = await run('grep', [
    '-oE',
    '\\basc_\\w+\\(',
    join(CLIENTS, 'c', 'include', 'account_service_client.h'),
  ]);
  const declared = header.stdout.replaceAll('(', '').trim().split('\n');
  // Only a debug build has the test clock.
  expect(exported.toSorted()).toEqual([...new Set(declared), 'asc_test_clock'].toSorted());
});
