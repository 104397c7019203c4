import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { revokeAgentToken } from '../../application/access/agent-tokens.ts';
import type { AgentTokens } from '../../ports/outbound/access.ts';
import { PERMIT } from '../support/permits.ts';
import { projectFiles } from '../support/project-files.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

const SAMPLE_DATA = /^examples\/store\/(?:artifacts|assets)\//;
const TEXTS = new Set(['.ts', '.mjs', '.js', '.json', '.md', '.yaml', '.yml', '.sh', '.html', '.css', '']);
const SOURCES = new Set(['.ts', '.mjs', '.js']);

type Text = { readonly file: string; readonly lines: readonly string[] };
type Find = (line: string, file: string) => boolean;

/** Each offending line as `file:line: text`. */
const offences = (texts: readonly Text[], isOffence: Find): string[] =>
  texts.flatMap(({ file, lines }) =>
    lines.flatMap((line, i) => (isOffence(line, file) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
  );

/** The folder to which a path is relative. The guide's sources have the imports of the domain's shared folder. */
const placeOf = (line: string, file: string): string =>
  file.endsWith('.md') && /^[ +-]?import .* from '/.test(line) ? 'domain/area' : dirname(file);

/** Finds a path to a folder `shared` outside the project. */
const leavesTheProject: Find = (line, file) =>
  [...line.matchAll(/(?:\.\.\/)+shared\b/g)].some(([path]) => {
    const target = resolve(PROJECT, placeOf(line, file), path);
    return relative(PROJECT, target).startsWith('..') || ![target, `${target}.ts`].some((file) => existsSync(file));
  });

const leavesTestsOut: Find = (line) => /\.(?:only|skip|todo|skipIf|runIf)\b\s*[.(]/.test(line);

const postpones: Find = (line) => /\b(?:TO[D]O|FIX[M]E|XX[X])\b/.test(line);

/**
 * Finds a use case without a name, which a stack trace shows as a bare line. One that only forwards a call needs none.
 */
const leavesUnnamed: Find = (line, file) =>
  file.startsWith('application/') && /^ {2}(?:return )?(?:async )?(?:<.*>)?\(.*\).* => \{$/.test(line);

describe('the house rules', () => {
  let texts: Text[];
  const tests = () => texts.filter(({ file }) => /^(test|infra\/test)\//.test(file));
  const sources = () => texts.filter(({ file }) => SOURCES.has(extname(file)));

  beforeAll(async () => {
    const files = projectFiles().filter((file) => TEXTS.has(extname(file)) && !SAMPLE_DATA.test(file));
    texts = await Promise.all(
      files.map(async (file) => ({
        file,
        lines: (await readFile(join(PROJECT, file), 'utf8')).replace(/\n$/, '').split('\n'),
      })),
    );
  });

  test('the house rules are applied to the files of the project', () => {
    expect(sources().length).toBeGreaterThan(100);
    expect(tests().length).toBeGreaterThan(3);
  });

  test('no file refers to a folder beside the project', () => {
    expect(offences(texts, leavesTheProject)).toEqual([]);
  });

  test('no test is skipped or run alone', () => {
    expect(offences(tests(), leavesTestsOut)).toEqual([]);
  });

  test('no file has a note that postpones work', () => {
    expect(offences(texts, postpones)).toEqual([]);
  });

  test('every use case with a body is a named function, and a stack trace names it', async () => {
    expect(offences(sources(), leavesUnnamed)).toEqual([]);
    const revoke = async () => {
      await Promise.resolve();
      throw new Error('the store is away');
    };
    const agentTokens = { revoke } as Partial<AgentTokens> as AgentTokens;
    const thrown: unknown = await revokeAgentToken({ agentTokens })(await PERMIT, { token_id: 1 }).catch(
      (error: unknown) => error,
    );
    expect((thrown as Error).stack).toMatch(/at (?:async )?revokeAgentToken /);
  });

  test.each([
    ['a path out of the project', leavesTheProject, ['..', 'shared/x.md'].join('/')],
    ['a test run alone', leavesTestsOut, ['test', "only('a', run)"].join('.')],
    ['a test for each row left out', leavesTestsOut, ['describe', 'skip', 'each(rows)'].join('.')],
    ['a note to self', postpones, ['// TO', 'DO: later'].join('')],
  ])('the house rules catch %s', (_, isOffence, planted) => {
    expect(offences([{ file: 'docs/a.md', lines: ['right', planted] }], isOffence)).toEqual([
      `docs/a.md:2: ${planted}`,
    ]);
  });

  test('the house rules allow a path to the domain’s own shared folder', () => {
    const path = ['..', 'shared/instant.ts'].join('/');
    expect(leavesTheProject(path, 'domain/access/api-key.ts')).toBe(false);
  });
});
