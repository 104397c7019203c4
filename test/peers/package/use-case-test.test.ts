import { globSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { node } from './support.ts';

test('the example tests of use cases pass without writing a file or starting a process', async () => {
  const files = globSync('use-case-test/*.test.ts', { cwd: inject('full') });
  const confined = ['--permission', '--allow-fs-read=*', '--test', '--test-isolation=none', '--test-reporter=tap'];
  const { stdout } = await node('full', [...confined, ...files]);
  expect(stdout).toContain('\n# pass 3\n# fail 0\n');
});
