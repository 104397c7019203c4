import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { ENTRIES, PROJECT } from './entries.ts';

const run = promisify(execFile);
const tool = (path: string): string => join(PROJECT, 'test', 'peers', 'node_modules', path);

test('are-the-types-wrong finds nothing in any entry', async () => {
  // It skips patterns, so that each entry that they stand for is named. It ignores how `require` finds modules, because
  // the package has none for it, and exits 1 where it finds a fault.
  const names = ENTRIES.map(({ name }) => name.replace(/^account-service/, '.'));
  const attw = [
    tool('@arethetypeswrong/cli/dist/index.js'),
    inject('tarball'),
    '--profile',
    'esm-only',
    '--format',
    'json',
  ];
  const { stdout } = await run(process.execPath, [...attw, '--entrypoints', ...names], { maxBuffer: 2 ** 28 });
  expect(Object.keys(JSON.parse(stdout).analysis.entrypoints)).toHaveLength(names.length);
}, 300_000);

test('publint finds nothing', async () => {
  const { stdout } = await run(process.execPath, [tool('publint/src/cli.js'), 'run', inject('tarball'), '--strict']);
  expect(stdout).toContain('All good!');
});
