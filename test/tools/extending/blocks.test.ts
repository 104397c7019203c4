import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { make } from './sources.ts';
import { walksIn } from './walks.ts';

const block = (info: string, ...lines: readonly string[]): string => [`\`\`\`${info}`, ...lines, '```', ''].join('\n');

const DIFF = ['--- a/a.ts', '+++ b/a.ts', '@@ -1 +1 @@', '-one', '+two'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'account-service-blocks-'));
  await writeFile(join(folder, 'a.ts'), 'one\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a walkthrough has the blocks under its heading, in order', () => {
  const text = `## Other\n${block('text', 'x')}\n## Add a W\n${block('diff', ...DIFF)}\n${block('ts file=b.ts', 'b')}\n${block('sh', 'x', 'y')}`;
  expect(walksIn(text)).toEqual([
    {
      title: 'Add a W',
      steps: [
        { kind: 'diff', line: 8, text: `${DIFF.join('\n')}\n` },
        { kind: 'file', line: 16, text: 'b\n', path: 'b.ts' },
        { kind: 'commands', line: 20, commands: ['x', 'y'] },
      ],
    },
  ]);
});

test('a block of any other kind within a walkthrough is refused', () => {
  expect(() => walksIn(`## Add a W\n${block('text', 'z')}`)).toThrow('has no use for a block of "text"');
});

test('a diff applies once, to the sources that it was made for', async () => {
  const diff = { kind: 'diff', line: 1, text: `${DIFF.join('\n')}\n` } as const;
  expect(await make(folder, diff)).toBeUndefined();
  expect(await readFile(join(folder, 'a.ts'), 'utf8')).toBe('two\n');
  expect(await make(folder, diff)).toContain('patch does not apply');
});

test('a whole file is written if it does not exist, and refused otherwise', async () => {
  const file = { kind: 'file', line: 1, text: 'b\n', path: 'new/b.ts' } as const;
  expect(await make(folder, file)).toBeUndefined();
  expect(await readFile(join(folder, 'new/b.ts'), 'utf8')).toBe('b\n');
  expect(await make(folder, file)).toContain('new/b.ts is there already');
});
