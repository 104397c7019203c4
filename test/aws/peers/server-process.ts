import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';

const START_MS = 60_000;
const LOOK_MS = 100;

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** A server process that runs beside the tests, on a local port. */
export type ServerProcess = { readonly port: number; readonly stop: () => Promise<void> };

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

/** Starts a server and waits until it accepts connections. Throws with its last output if it ends or is too slow. */
export const startServer = async (
  command: string,
  argsFor: (port: number) => readonly string[],
  cwd?: string,
): Promise<ServerProcess> => {
  const port = await freePort();
  const child = spawn(command, argsFor(port), { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said = (said + text).slice(-2000)));
  const failed = once(child, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => {});
  for (const deadline = Date.now() + START_MS; !(await accepts(port)); ) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop(child);
      throw new Error(`${command} did not start: ${said.trim()}`);
    }
    await Promise.race([sleep(LOOK_MS), failed]);
  }
  return { port, stop: () => stop(child) };
};
