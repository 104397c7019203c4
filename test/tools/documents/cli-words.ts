import type { Command } from 'commander';
import { programFor } from '../../../runtimes/cli/program.ts';

/** The ways in which documents call the command line, up to its first word. */
const CALLS =
  /(?:npm run -s cli --|node runtimes\/cli\/main\.ts|(?:^|[;&|(])[ \t]*(?:[A-Z_]+=\S* )*account-service)(?= )/gm;

/** A shell word: adjacent quoted parts and plain characters, after a gap. */
const WORD = /(?:[ \t]|\\\n)*((?:"(?:\\.|[^"])*"|'[^']*'|\\.|[^\s"'\\|;&<>()#]|(?<=\S)#)+)/y;

/** The words of a shell command from a position on. */
export const wordsFrom = (text: string, start: number): string[] => {
  const words: string[] = [];
  WORD.lastIndex = start;
  for (let found = WORD.exec(text); found; found = WORD.exec(text)) {
    words.push((found[1] ?? '').replaceAll(/^["']|["']$/g, ''));
  }
  return words;
};

/** The calls of the command line in a shell text, each as its words. */
export const callsIn = (text: string): string[][] =>
  [...text.matchAll(CALLS)].map((found) => wordsFrom(text, found.index + found[0].length));

/** The readings of a usage such as `agent-token create|list [--role R]`. */
export const usagesIn = (code: string): string[][] => {
  const plain = code.replaceAll(/[[\]…]/g, '').replaceAll('|', '\u0000');
  return (callsIn(plain)[0] ?? wordsFrom(plain, 0)).reduce<string[][]>(
    (before, word) => before.flatMap((words) => word.split('\u0000').map((choice) => [...words, choice])),
    [[]],
  );
};

const program: Command = await programFor([], {});
const namesOf = ({ commands }: Command): string[] => commands.map((command) => command.name());

/** True for the beginning of a usage of the command line. */
export const isUsage = (code: string): boolean =>
  callsIn(code).length > 0 ||
  (!/ from /.test(code) && namesOf(program).includes(/^[a-z-]+(?= )/.exec(code)?.[0] ?? ''));

/** The words of a call that do not exist in the command line: a command, or an option of the command. */
export const unknownIn = (words: readonly string[], command = program): string[] => {
  const [first = '', ...rest] = words;
  const next = command.commands.find((one) => one.name() === first);
  if (next) return unknownIn(rest, next);
  const isDefault = command.name() === 'grant' && first.startsWith('--');
  if (isDefault) return unknownIn(['add', ...words], command);
  if (command.commands.length > 0 && /^[a-z]/.test(first)) return [first];
  const options = new Set(['--help', '--version', ...command.options.map(({ long }) => long)]);
  return words.filter((word) => word.startsWith('--') && word !== '--' && !options.has(word.split('=')[0] ?? ''));
};
