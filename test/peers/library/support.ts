import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { PROJECT } from '../package/entries.ts';

/* The examples are compiled and run as another team's project is: against the built package alone. */

export const COMPILER = 'node_modules/@typescript/native/bin/tsc';

/** Compiles an example as its tsconfig says. Rejects with the compiler's messages. */
export const compileExample = async (name: string): Promise<void> => {
  const compiling = promisify(execFile)(process.execPath, [COMPILER, '-p', `examples/${name}`], { cwd: PROJECT });
  await compiling.catch(({ stdout, stderr }) => {
    throw new Error(`examples/${name} does not compile:\n${stdout}${stderr}`);
  });
};

/** A running example, and the first line of JSON that it printed. */
export type RunningExample<T> = { readonly first: T; readonly stop: () => Promise<void> };

const firstJson = async (output: NodeJS.ReadableStream): Promise<string> => {
  for await (const line of createInterface({ input: output })) if (line.startsWith('{')) return line;
  throw new Error('The example ended before it printed a line of JSON.');
};

/** Runs a file of an example until it has printed a line of JSON. Rejects if it ends before that. */
export const startExample = async <T>(
  path: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningExample<T>> => {
  const program = spawn(process.execPath, [`examples/${path}`], {
    cwd: PROJECT,
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
