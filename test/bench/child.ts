import { type ChildProcess, fork } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** CPU seconds and memory of a server, as it sees itself. */
export type Reading = { readonly cpuMicros: number; readonly rssBytes: number };

/** Tells the parent where the server listens, and answers its questions for readings. */
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

/** A server in a process of its own, so that its CPU and memory are its alone. */
export class ChildServer<More = unknown> {
  readonly #child: ChildProcess;
  readonly port: number;
  readonly more: More;

  private constructor(child: ChildProcess, hello: { port: number } & More) {
    this.#child = child;
    this.port = hello.port;
    this.more = hello;
  }

  static async start<More>(script: string, env: Record<string, string> = {}): Promise<ChildServer<More>> {
    const file = fileURLToPath(new URL(script, import.meta.url));
    const child = fork(file, { env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });
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
