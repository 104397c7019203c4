import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PROJECT } from '../package/entries.ts';
import { compileExample } from './support.ts';

test('the example tests of use cases compile against the types of the package, with those of all its packages', async () => {
  await compileExample('use-case-test');
});

test('the example tests of use cases pass, and may neither write a file nor start a process', async () => {
  const files = globSync('examples/use-case-test/*.test.ts', { cwd: PROJECT });
  const confined = ['--permission', '--allow-fs-read=*', '--test', '--test-isolation=none', '--test-reporter=tap'];
  const { stdout } = await promisify(execFile)(process.execPath, [...confined, ...files], { cwd: PROJECT });
  expect(stdout).toContain('\n# pass 3\n# fail 0\n');
});
