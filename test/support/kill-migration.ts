import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../runtimes/cli/main.ts', import.meta.url));

const start = (from: string, to: string) =>
  spawn(process.execPath, [MAIN, 'migrate', '--from', from, '--to', to], { stdio: ['ignore', 'ignore', 'inherit'] });

/** Runs a migration and kills it once `isFar` holds. True if it was killed before its end. */
export const killMigration = async (
  from: string,
  to: string,
  isFar: () => boolean | Promise<boolean>,
): Promise<boolean> => {
  const child = start(from, to);
  const exit = once(child, 'exit');
  while (child.exitCode === null && !(await isFar())) await sleep(5);
  child.kill('SIGKILL');
  const [, signal] = await exit;
  return signal === 'SIGKILL';
};

/** Runs a migration to its end and returns its exit code. */
export const finishMigration = async (from: string, to: string): Promise<number | null> =>
  (await once(start(from, to), 'exit'))[0];
