import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { callChecker, callsIn, usagesIn } from './cli-words.ts';
import { PROJECT, readDocuments } from './read.ts';

const documents = readDocuments();
const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

let cli: Awaited<ReturnType<typeof callChecker>>;
beforeAll(async () => {
  cli = await callChecker();
});

/** A usage of the command line, and no import of a module. */
const isUsage = (code: string): boolean =>
  callsIn(code).length > 0 || (!/ from /.test(code) && cli.names.has(/^[a-z-]+(?= )/.exec(code)?.[0] ?? ''));

/** The faults of the command lines of one document, each with its line. */
const faultsOf = async ({ commands, codes }: (typeof documents)[number]): Promise<string[]> => {
  const said = commands.flatMap(({ line, text }) => callsIn(text).map((words) => ({ line, words, mention: false })));
  const mentioned = codes
    .filter(({ text }) => isUsage(text))
    .flatMap(({ line, text }) => usagesIn(text).map((words) => ({ line, words, mention: true })));
  const faults: string[] = [];
  for (const { line, words, mention } of [...said, ...mentioned]) {
    const fault = await cli.check(words, mention);
    if (fault) faults.push(`line ${line}: ${fault}`);
  }
  return faults;
};

describe.each(documents.map((doc) => [doc.name, doc] as const))('%s', (_, doc) => {
  test('names only commands, subcommands and options that the command line has', async () => {
    expect(await faultsOf(doc)).toEqual([]);
  });

  test('names only scripts of npm and programs of the sources that there are', () => {
    const texts = [...doc.commands, ...doc.codes].map(({ text }) => text);
    const named = texts.flatMap((text) =>
      [...text.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name),
    );
    const files = texts.flatMap((text) =>
      [...text.matchAll(/\bnode ((?:\w[\w-]*\/)+[\w-]+\.ts)\b/g)].map(([, file = '']) => file),
    );
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    expect(files.filter((file) => !existsSync(join(PROJECT, file)))).toEqual([]);
  });
});

describe('the check of command lines', () => {
  test.each([
    ['an unknown command', 'npm run -s cli -- publsh tool tool.zip', /unknown command/],
    ['an unknown option', 'npm run -s cli -- doctor --fast', /unknown option/],
    ['an argument too many', 'account-service doctor now', /too many arguments/],
    ['a missing argument', 'npm run -s cli -- key revoke', /missing required argument/],
  ])('the check finds %s', async (_, text, complaint) => {
    const [words = []] = callsIn(text);
    expect(await cli.check(words, false)).toMatch(complaint);
  });

  test('a usage in a table is read with each of its choices, and without brackets', () => {
    expect(usagesIn('agent-token create|list [--role R]')).toEqual([
      ['agent-token', 'create', '--role', 'R'],
      ['agent-token', 'list', '--role', 'R'],
    ]);
  });

  test('a call ends at a pipe, at a bracket and at a comment', () => {
    expect(callsIn('X=$(npm run -s cli -- key list --account "$ID" | head -1) # all')).toEqual([
      ['key', 'list', '--account', '$ID'],
    ]);
  });
});
