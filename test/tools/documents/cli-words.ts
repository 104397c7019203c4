import type { Command } from 'commander';
import { wholeProgram } from '../../../runtimes/cli/program.ts';

/** The ways in which documents call the command line, up to its first word. */
const CALLS =
  /(?:npm run -s cli --|node runtimes\/cli\/main\.ts|(?:^|[;&|(])[ \t]*(?:[A-Z_]+=\S* )*account-service)(?= )/gm;

/** The words of a command of shell from a place on: gaps, then quoted parts and plain characters side by side. */
const WORD = /(?:[ \t]|\\\n)*((?:"(?:\\.|[^"])*"|'[^']*'|\\.|[^\s"'\\|;&<>()#]|(?<=\S)#)+)/y;

export const wordsFrom = (text: string, start: number): string[] => {
  const words: string[] = [];
  WORD.lastIndex = start;
  for (let found = WORD.exec(text); found; found = WORD.exec(text)) {
    words.push((found[1] ?? '').replaceAll(/^["']|["']$/g, ''));
  }
  return words;
};

/** The calls of the command line in a text of shell, each as its words. */
export const callsIn = (text: string): string[][] =>
  [...text.matchAll(CALLS)].map((found) => wordsFrom(text, found.index + found[0].length));

/** The ways of reading a usage such as `agent-token create|list [--role R]`. */
export const usagesIn = (code: string): string[][] => {
  const plain = code.replaceAll(/[[\]…]/g, '').replaceAll('|', '\u0000');
  return (callsIn(plain)[0] ?? wordsFrom(plain, 0)).reduce<string[][]>(
    (before, word) => before.flatMap((words) => word.split('\u0000').map((choice) => [...words, choice])),
    [[]],
  );
};

/** Errors of a usage that leaves something out, as a sentence may. */
const TOO_LITTLE = /^commander\.(?:help|missingArgument|missingMandatoryOptionValue|optionMissingArgument)$/;

const leavesOf = (command: Command): Command[] => [command, ...command.commands.flatMap(leavesOf)];

export const commandNames = async (): Promise<ReadonlySet<string>> =>
  new Set((await wholeProgram()).commands.map((command) => command.name()));

/** Reads a call by Commander's own parser, which runs nothing. Answers the complaint, or undefined. */
export const complaintOf = async (words: readonly string[]): Promise<string | undefined> => {
  const said: string[] = [];
  const writeErr = (text: string) => said.push(text);
  const program = await wholeProgram({ writeErr });
  for (const command of leavesOf(program)) {
    command.exitOverride().configureOutput({ writeOut: () => {}, writeErr });
    if (command.commands.length === 0) command.action(() => {});
  }
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    const { code, exitCode } = error as { readonly code: string; readonly exitCode: number };
    const isPlaceholder = code === 'commander.invalidArgument' && words.some((word) => /^[A-Z]+$/.test(word));
    return exitCode === 0 || isPlaceholder || TOO_LITTLE.test(code)
      ? undefined
      : `${words.join(' ')}: ${said.join('').trim()}`;
  }
  return undefined;
};
