import type { Command } from 'commander';
import { programFor } from '../../runtimes/cli/program.ts';

/* Helpers for tests of every command, so that a new command is tested without being listed. */

/** A command or a group, with the words that call it. */
export type Named = { readonly words: readonly string[]; readonly command: Command };

const below = ({ words, command }: Named): Named[] =>
  command.commands.flatMap((child) => {
    const named = { words: [...words, child.name()], command: child };
    return [named, ...below(named)];
  });

/** Every command and group, in the order of the help. */
export const everyCommand = async (): Promise<readonly Named[]> =>
  below({ words: [], command: await programFor([], {}) });

export const isLeaf = ({ command }: Named): boolean => command.commands.length === 0;
