import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The exit of a process, with the complete lines of its standard output, and its standard error. */
export type Ended = { readonly code: number | null; readonly lines: readonly string[]; readonly errors: string };

export type Started = {
  readonly child: ChildProcess;
  /** Resolves once the process has written this number of lines. */
  readonly wrote: (lines: number) => Promise<void>;
  readonly ended: Promise<Ended>;
};

const collect = (stream: Readable): (() => string) => {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
};

const run = (command: string, args: readonly string[]): Started => {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  // Text after the last line break is an incomplete line.
  const lines = () => output().split('\n').slice(0, -1);
  const ended = once(child, 'close').then(([code]) => ({ code, lines: lines(), errors: errors() }));
  const wrote = async (count: number) => {
    while (lines().length < count && child.stdout.readable) await Promise.race([once(child.stdout, 'data'), ended]);
  };
  return { child, wrote, ended };
};

const path = (script: string): string => fileURLToPath(new URL(script, import.meta.url));

/** Runs a script of this folder in its own process. */
export const start = (script: string, ...args: readonly string[]): Started =>
  run(process.execPath, [path(script), ...args]);

/** Like `start`, but no file of the process can exceed this number of 512-byte blocks. */
export const startWithFileLimit = (blocks: number, script: string, ...args: readonly string[]): Started =>
  run('sh', ['-c', `ulimit -f ${blocks} && exec "$0" "$@"`, process.execPath, path(script), ...args]);
