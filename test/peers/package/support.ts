import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { inject } from 'vitest';

/** Runs a program in a project. Rejects unless it exits with 0. */
export const node = (project: 'bare' | 'full', args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, args, { cwd: inject(project), env: { ...process.env, ...env } });

/** A running example, and its first line of JSON. */
export type RunningExample<T> = { readonly first: T; readonly stop: () => Promise<void> };

const firstJson = async (output: NodeJS.ReadableStream): Promise<string> => {
  for await (const line of createInterface({ input: output })) if (line.startsWith('{')) return line;
  throw new Error('The example ended before it printed a line of JSON.');
};

/** Runs a file of an example until it has printed a line of JSON. Rejects if it ends first. */
export const startExample = async <T>(
  path: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningExample<T>> => {
  const program = spawn(process.execPath, [path], {
    cwd: inject('full'),
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(program, 'exit');
  const line = await firstJson(program.stdout);
  const stop = async (): Promise<void> => {
    program.kill();
    await exit;
  };
  return { first: JSON.parse(line), stop };
};
