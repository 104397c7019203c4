import { type ChildProcess, fork } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** The CPU time and memory of a server process. */
export type Reading = { readonly cpuMicros: number; readonly rssBytes: number };

/** Sends the port of the server to the parent process, and a reading for each of its messages. */
export const report = (server: Server, more: Readonly<Record<string, unknown>>): void => {
  process.send?.({ port: (server.address() as AddressInfo).port, ...more });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() } satisfies Reading);
  });
  process.on('disconnect', () => process.exit(0));
};

const message = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`A server of the benchmark ended with ${code}.`));
    child.once('exit', ended);
    child.once('message', (value) => {
      child.off('exit', ended);
      resolve(value as T);
    });
  });

/** A server in a separate process, so that its CPU time and memory can be measured. */
export class ChildServer<More = unknown> {
  readonly #child: ChildProcess;
  readonly port: number;
  readonly more: More;

  private constructor(child: ChildProcess, hello: { port: number } & More) {
    this.#child = child;
    this.port = hello.port;
    this.more = hello;
  }

  /** Starts the script of a server. `stdout` says where its standard output goes. */
  static async start<More>(
    script: string,
    env: Record<string, string> = {},
    stdout: 'inherit' | 'ignore' = 'inherit',
  ): Promise<ChildServer<More>> {
    const file = fileURLToPath(new URL(script, import.meta.url));
    const child = fork(file, { env: { ...process.env, ...env }, stdio: ['ignore', stdout, 'ignore', 'ipc'] });
    return new ChildServer<More>(child, await message<{ port: number } & More>(child));
  }

  read(): Promise<Reading> {
    const answer = message<Reading>(this.#child);
    this.#child.send('read');
    return answer;
  }

  stop(): void {
    this.#child.disconnect();
  }
}
