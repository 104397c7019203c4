import { spawnSync } from 'node:child_process';

/** Tells whether a shell would run these lines, or wait for more of them. */
const isWhole = (lines: string): boolean =>
  !/\\$/.test(lines) && spawnSync('bash', ['-n'], { input: lines, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;

const isNothing = (line: string): boolean => /^\s*(?:#|$)/.test(line);

/**
 * Splits a block of shell into its commands, as a shell does that reads it line by line. Comments and empty lines
 * between commands are left out. Lines at the end that are no whole command are a command all the same, which fails.
 */
export const splitCommands = (block: string): string[] => {
  const commands: string[] = [];
  let pending: string[] = [];
  for (const line of block.split('\n')) {
    if (pending.length === 0 && isNothing(line)) continue;
    pending.push(line);
    const command = pending.join('\n');
    if (!isWhole(command)) continue;
    commands.push(command);
    pending = [];
  }
  return pending.length === 0 ? commands : [...commands, pending.join('\n')];
};
