import { CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { programFor } from '../../runtimes/cli/program.ts';
import { cli } from '../support/cli.ts';
import { everyCommand, isLeaf, type Named } from './every-command.ts';

const COLUMNS = 100;

const all = await everyCommand();
const titled = all.map((named) => [named.words.join(' '), named] as const);
const leaves = titled.filter(([, named]) => isLeaf(named));

/** Runs the program with these words in this process, and returns its exit code and output. */
const run = async (words: readonly string[]) => {
  const [out, err]: [string[], string[]] = [[], []];
  const program = await programFor([], { writeOut: (text) => out.push(text), writeErr: (text) => err.push(text) });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { exitCode: error.exitCode, code: error.code, out: out.join(''), err: err.join('') };
  }
  throw new Error(`"${words.join(' ')}" ran, and neither helped nor complained.`);
};

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Everything that the help must list: terms with their descriptions. */
const listed = ({ command }: Named): (readonly [string, string])[] => {
  const help = command.createHelp();
  return [
    ...help.visibleArguments(command).map((one) => [help.argumentTerm(one), one.description] as const),
    ...help.visibleOptions(command).map((one) => [help.optionTerm(one), one.description] as const),
    ...help.visibleCommands(command).map((one) => [help.subcommandTerm(one), one.description()] as const),
  ];
};

/**
 * True for a description in the house style: it begins in lower case, except for an abbreviation, and has no final
 * period.
 */
const isInStyle = (text: string): boolean => /^(?:\p{Ll}|\p{Lu}{2,}\b)/u.test(text) && !/[.\s]$/.test(text);

describe('the help of every command', () => {
  test.each(titled)('the help of %s lists its arguments, options and commands', async (_, named) => {
    const { exitCode, code, out, err } = await run([...named.words, '--help']);
    expect([exitCode, code, err]).toEqual([0, 'commander.helpDisplayed', '']);
    const shown = spaced(out);
    expect(shown).toContain(spaced(named.command.description()));
    for (const [term, description] of listed(named)) {
      expect(shown).toContain(`${term} ${spaced(description)}`);
    }
    expect(named.command.registeredArguments.map(({ description }) => description)).not.toContain('');
  });

  test.each(titled)('the help of %s fits a terminal', async (_, named) => {
    const { out } = await run([...named.words, '--help']);
    expect(out.split('\n').filter((line) => line.length > COLUMNS)).toEqual([]);
  });

  test.each(titled)('every description of %s begins in lower case and has no period at its end', (_, named) => {
    const texts = [named.command.description(), ...listed(named).map(([, description]) => description)];
    expect(texts.filter((text) => !isInStyle(text))).toEqual([]);
  });

  test.each(leaves)('the command %s accepts --json', (_, { command }) => {
    expect(command.options.map(({ long }) => long)).toContain('--json');
  });

  test('a process prints the help and exits 0', async () => {
    const help = await cli(['device', 'release', '--help']);
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('--revoke-keys') });
  });
});

describe('wrong usage of any command', () => {
  test.each(titled)('the command %s names the unknown or missing part in one line', async (_, { words, command }) => {
    const { exitCode, out, err } = await run([...words, '--no-such-option']);
    expect([exitCode, out, err]).toEqual([1, '', expect.stringMatching(/^error: .+\n$/)]);
    const called = [command, ...command.commands].flatMap(({ options }) => options);
    const missing = called.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
    expect(['--no-such-option', ...missing].some((flags) => err.includes(`'${flags}'`))).toBe(true);
  });

  const withArguments = leaves.filter(([, { command }]) => command.registeredArguments.some((one) => one.required));
  test.each(withArguments)('the command %s says in one line that it needs arguments', async (_, { words }) => {
    const { exitCode, out, err } = await run(words);
    expect([exitCode, out, err]).toEqual([
      1,
      '',
      expect.stringMatching(/^error: (?:missing required|required option) .+\n$/),
    ]);
  });
});

/** The words with which a description says that something is lost. */
const LOSS = /\b(?:erase|revoke|withdraw|release|refund|restore|remove|delete|free|forbid|end)\b/;

/** Commands with such a word that do not ask, and the reasons. */
const ASKS_NOTHING: Readonly<Record<string, string>> = {
  'release restore': 'It gives back.',
  'release move': 'It is undone by the same command.',
  'release schedule': 'Nobody has the release yet.',
  'key revoke': 'A leaked key has to end at once, and its owner makes another.',
  'agent-token revoke': 'A leaked token has to end at once, and the operator makes another.',
  'account password': 'The owner signs in again with the new password.',
  'device restore': 'It gives back.',
  'grant extend': 'It gives more.',
  'order show': 'It changes nothing.',
  restore: 'It writes into a new folder, or mends what is damaged.',
};

describe('commands that destroy something', () => {
  const asks = ({ command }: Named): boolean => command.options.some(({ long }) => long === '--yes');
  const losing = leaves.filter(([name, { command }]) =>
    LOSS.test(`${name.split(' ').at(-1)} ${command.description()}`),
  );

  test('each destructive command accepts --yes, or is listed with a reason', () => {
    const silent = losing.filter(([, named]) => !asks(named)).map(([name]) => name);
    expect(silent.sort()).toEqual(Object.keys(ASKS_NOTHING).sort());
  });

  test.each(leaves.filter(([, named]) => asks(named)))('the help of %s explains --yes', (_, { command }) => {
    const yes = command.options.find(({ long }) => long === '--yes');
    expect(yes?.description).toMatch(/(?:without asking|do not ask)/);
  });
});
