import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { expect } from 'vitest';
import { killServer, type ServerProcess, startServer } from '../processes/server.ts';
import { spawnedCli as cli, type Ran } from '../support/cli.ts';

export type Answer = {
  readonly status: number;
  readonly text: string;
  /** The parsed body. */
  readonly body: ReturnType<typeof JSON.parse>;
};

type Call = { readonly key?: string; readonly json?: unknown; readonly host?: 'url' | 'app' };

/** A machine of the shop: a data folder, commands on it, and the server that runs on it. */
export class Machine {
  readonly dataDir: string;
  #server: ServerProcess | undefined;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  run(args: readonly string[], input = ''): Promise<Ran> {
    return cli(args, { DATA_DIR: this.dataDir }, input);
  }

  /** Runs a command that must succeed, and returns its JSON. */
  async do(args: readonly string[], input = ''): Promise<ReturnType<typeof JSON.parse>> {
    const ran = await this.run([...args, '--json'], input);
    expect([args, ran.code, ran.stderr]).toEqual([args, 0, '']);
    return ran.json();
  }

  /** Starts the server as `npm start` does. An empty store stays empty. */
  async start(): Promise<void> {
    this.#server = await startServer(this.dataDir, { SAMPLE_STORE: 'never' });
  }

  async call(path: string, { key, json, host = 'url' }: Call = {}): Promise<Answer> {
    if (!this.#server) throw new Error('The server of this machine was not started.');
    const response = await fetch(`${this.#server[host]}${path}`, {
      method: json === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('Content-Type')?.includes('json') ?? false;
    return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
  }

  /** Checks the license of a product for a device, as an application with the key. */
  check(key: string, device_id: string, product_id = 1): Promise<Answer> {
    return this.call('/api/license/check', { key, json: { product_id, device_id } });
  }

  async stop(): Promise<void> {
    if (this.#server) await killServer(this.#server, 'SIGTERM');
    this.#server = undefined;
  }

  /** Kills the server, and removes its disk. */
  async burn(): Promise<void> {
    const child = this.#server?.child;
    this.#server = undefined;
    if (child?.exitCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    await rm(this.dataDir, { recursive: true });
  }
}
