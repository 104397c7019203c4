import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export type Ended = { readonly code: number | null; readonly out: string; readonly said: string };

/** Starts the example's program as a person would. */
export const startCollector = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { child: ChildProcess; ended: Promise<Ended> } => {
  const child = spawn(process.execPath, ['examples/collector/main.ts', ...args], {
    env: { ...process.env, DESIGN_TOKEN: 'agt_of-a-test', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], out, said]) => ({ code: code as number | null, out, said }),
  );
  return { child, ended };
};
