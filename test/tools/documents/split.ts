import { spawnSync } from 'node:child_process';

/** Tells whether a shell would run these lines, or wait for more of them. */
const isWhole = (lines: string): boolean =>
  !/\\$/.test(lines) && spawnSync('bash', ['-n'], { input: lines, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;

/** Splits a block of shell into its commands. An unfinished command at the end is a command too, which fails. */
export const splitCommands = (block: string): string[] => {
  const commands: string[] = [];
  let pending: string[] = [];
  for (const line of block.split('\n')) {
    if (pending.length === 0 && /^\s*(?:#|$)/.test(line)) continue;
    pending.push(line);
    if (!isWhole(pending.join('\n'))) continue;
    commands.push(pending.join('\n'));
    pending = [];
  }
  return pending.length === 0 ? commands : [...commands, pending.join('\n')];
};
