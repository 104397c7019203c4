import { spawnSync } from 'node:child_process';

/** True if a shell would run these lines instead of waiting for more. */
const isWhole = (lines: string): boolean =>
  !/\\$/.test(lines) && spawnSync('bash', ['-n'], { input: lines, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;

/** Splits a shell block into its commands. An unfinished command at the end counts as a command, which fails. */
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
