import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isShown } from './go.ts';
import { make } from './sources.ts';
import { readDocument, walksIn } from './walks.ts';

const block = (info: string, ...lines: readonly string[]): string => [`\`\`\`${info}`, ...lines, '```', ''].join('\n');

const DIFF = ['--- a/a.ts', '+++ b/a.ts', '@@ -1 +1 @@', '-one', '+two'];

describe('the blocks of the guide', () => {
  test('the guide has a walk for each thing that it names', () => {
    const titles = walksIn(readDocument()).map(({ title }) => title);
    expect(titles).toEqual(['A field', 'An endpoint', 'An engine', 'A mount', 'A host']);
  });

  test('a walk has its blocks in order, and what the commands before a text print', () => {
    const text = `# T\n${block('sh', 'outside')}\n## W\n${block('diff', ...DIFF)}\n${block('ts file=b.ts', 'b')}\n${block('sh', 'x', 'y')}\n${block('text', 'z')}`;
    expect(walksIn(text)).toEqual([
      {
        title: 'W',
        steps: [
          { kind: 'diff', line: 8, text: `${DIFF.join('\n')}\n` },
          { kind: 'file', line: 16, text: 'b\n', path: 'b.ts' },
          { kind: 'commands', line: 20, commands: ['x', 'y'], shown: ['z'] },
        ],
      },
    ]);
  });

  test('a block of anything else that follows no command is refused', () => {
    expect(() => walksIn(`## W\n${block('text', 'z')}`)).toThrow('after no command');
  });

  test('a line is shown where it is a whole line of what is printed, with any text for its dots', () => {
    expect(isShown('a.ts… error: …', 'first\na.ts(1): error: no\n')).toBe(true);
    expect(isShown('a.ts… error: …', 'a.ts(1)\nerror: no\n')).toBe(false);
    expect(isShown('a.b', 'axb')).toBe(false);
    expect(isShown('null', 'first\n  null \n')).toBe(true);
    expect(isShown('null', '{"a":null}\n')).toBe(false);
    expect(isShown('Tests … passed …', '      Tests  2 passed | 7 skipped (9)\n')).toBe(true);
    expect(isShown('Tests … passed …', '      Tests  9 skipped (9)\n')).toBe(false);
  });
});

describe('a block that is applied', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'account-service-blocks-'));
    await writeFile(join(folder, 'a.ts'), 'one\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const diff = { kind: 'diff', line: 1, text: `${DIFF.join('\n')}\n` } as const;

  test('a diff changes its file once, and says why it can’t be applied again', async () => {
    expect(await make(folder, diff)).toBeUndefined();
    expect(await readFile(join(folder, 'a.ts'), 'utf8')).toBe('two\n');
    expect(await make(folder, diff)).toContain('a.ts');
  });

  test('a whole file is written where there is none, and takes the place of no other', async () => {
    const file = { kind: 'file', line: 1, text: 'b\n', path: 'new/b.ts' } as const;
    expect(await make(folder, file)).toBeUndefined();
    expect(await readFile(join(folder, 'new/b.ts'), 'utf8')).toBe('b\n');
    expect(await make(folder, file)).toBe(
      'new/b.ts is there already, so that the walk has to show its change as a diff.',
    );
  });
});
