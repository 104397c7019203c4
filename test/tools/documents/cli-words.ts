import type { Command } from 'commander';
import { wholeProgram } from '../../../runtimes/cli/program.ts';

/** The ways in which documents call the command line, up to its first word. */
const CALLS =
  /(?:npm run -s cli --|node runtimes\/cli\/main\.ts|(?:^|[;&|(])[ \t]*(?:[A-Z_]+=\S* )*account-service)(?= )/gm;

/** A word of shell: quoted parts and plain characters, side by side. */
const WORD = /(?:"(?:\\.|[^"])*"|'[^']*'|\\.|[^\s"'\\|;&<>()#]|(?<=\S)#)+/y;

const unquoted = (word: string): string => word.replaceAll(/^["']|["']$/g, '');

/** The words of a command of shell from a place on, up to the end of the command. */
export const wordsFrom = (text: string, start: number): string[] => {
  const words: string[] = [];
  let at = start;
  while (at < text.length) {
    const gap = /(?:[ \t]|\\\n)*/y;
    gap.lastIndex = at;
    at += gap.exec(text)?.[0].length ?? 0;
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[0];
    if (word === undefined) return words;
    words.push(unquoted(word));
    at += word.length;
  }
  return words;
};

/** The calls of the command line in a text of shell, each as its words. */
export const callsIn = (text: string): string[][] =>
  [...text.matchAll(CALLS)].map((found) => wordsFrom(text, found.index + found[0].length));

/** The ways of reading `a|b` in a usage such as `--role collect|read --name N`. */
const readings = (words: readonly string[]): string[][] =>
  words.reduce<string[][]>(
    (before, word) => {
      const choices = /^[\w-]+(?:\|[\w-]+)+$/.test(word) ? word.split('|') : [word];
      return before.flatMap((start) => choices.map((choice) => [...start, choice]));
    },
    [[]],
  );

/** The ways of reading a usage of the command line that a sentence or a table has as code: `[…]` may be left out. */
export const usagesIn = (code: string): string[][] => {
  const [called] = callsIn(code.replaceAll(/[[\]]/g, '').replaceAll('|', '\u0000'));
  const words = called ?? wordsFrom(code.replaceAll(/[[\]…]/g, '').replaceAll('|', '\u0000'), 0);
  return readings(words.map((word) => word.replaceAll('\u0000', '|')));
};

/** Errors of a call that names too little, which a mention in a sentence may. */
const TOO_LITTLE = [
  'commander.help',
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
];

const leavesOf = (command: Command): Command[] => [command, ...command.commands.flatMap(leavesOf)];

/**
 * Makes a check of calls by Commander's own parser, which runs nothing. It answers the complaint, or undefined where
 * the call is right. A mention may leave out what is required; a placeholder in capitals is any value.
 */
export const callChecker = async () => {
  const complain: string[] = [];
  const names = new Set((await wholeProgram()).commands.map((command) => command.name()));
  const check = async (words: readonly string[], mention: boolean): Promise<string | undefined> => {
    if (mention && words.join() === 'COMMAND') return undefined;
    complain.length = 0;
    const program = await wholeProgram({ writeErr: (text) => complain.push(text) });
    for (const command of leavesOf(program)) {
      command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: (text) => complain.push(text) });
      if (command.commands.length === 0) command.action(() => {});
    }
    try {
      await program.parseAsync(words, { from: 'user' });
    } catch (error) {
      const { code, exitCode } = error as { readonly code: string; readonly exitCode: number };
      if (exitCode === 0) return undefined;
      if (mention && TOO_LITTLE.includes(code)) return undefined;
      if (code === 'commander.invalidArgument' && words.some((word) => /^[A-Z]+$/.test(word))) return undefined;
      return `${words.join(' ')}: ${complain.join('').trim() || String(error)}`;
    }
    return undefined;
  };
  return { names, check };
};
