import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Reading } from './child.ts';
import { Connection, type Shot } from './connection.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** A command line that starts Node: its arguments, and the variables that it sets. */
export type Program = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

/** The program that a script of package.json runs, so that the benchmark starts what `npm` starts, flags included. */
export const scriptProgram = (name: 'start' | 'cli', args: readonly string[] = []): Program => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const words = (scripts[name] ?? '').split(' ').filter((word) => word !== 'exec');
  const node = words.indexOf('node');
  if (node < 0) throw new Error(`The script ${name} of package.json does not start node.`);
  const env = words.slice(0, node).map((word) => word.split('=', 2) as [string, string]);
  return { args: [...words.slice(node + 1), ...args], env: Object.fromEntries(env) };
};

/** The bare server, whose sources Node runs like those of the service. */
export const BARE: Program = { args: [join(import.meta.dirname, 'servers', 'bare-server.ts')], env: {} };

/** The bare server as one file of JavaScript beside its packages, so that it starts without stripping types. */
export const bareInJavaScript = async (folder: string): Promise<Program> => {
  const file = join(folder, 'bare.mjs');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await build({
    entryPoints: [join(import.meta.dirname, 'servers', 'bare-server.ts')],
    outfile: file,
    bundle: true,
    packages: 'external',
    external: ['../inspection.ts'],
    format: 'esm',
    platform: 'node',
    target: 'node24',
  });
  return { args: [file], env: {} };
};

/** The same program with a reporter in its process. */
export const reporting = ({ args, env }: Program): Program => ({
  args: ['--import', new URL('./servers/reporter.mjs', import.meta.url).href, ...args],
  env,
});

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

/** Milliseconds in which a program runs from its start to its end. Throws if it fails. */
export const wallMillis = async ({ args, env }: Program, more: Readonly<Record<string, string>>): Promise<number> => {
  const from = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...more, ...env }, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}.`);
  return performance.now() - from;
};

const PAUSE_MS = 1;

/** A server that runs as its own program, and says its CPU time and memory if it has a reporter. */
export class RunningProgram {
  readonly #child: ChildProcess;
  readonly port: number;
  #out = '';

  constructor({ args, env }: Program, more: Readonly<Record<string, string>>, port: number) {
    this.port = port;
    const [file = '', ...flags] = [...args].reverse();
    this.#child = fork(file, {
      cwd: ROOT,
      env: { ...process.env, ...more, ...env },
      execArgv: flags.reverse(),
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    this.#child.stdout?.on('data', (part: Buffer) => {
      this.#out += part.toString();
    });
  }

  /** The standard output until now. */
  get out(): string {
    return this.#out;
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Asks until the answer is 200. Throws if the program ends before. */
  async answered(shot: Shot): Promise<void> {
    while (!this.ended) {
      try {
        const connection = await Connection.open(this.port);
        await connection.ask(shot);
        connection.close();
        return;
      } catch {
        // The port is closed, or its server says that it is starting.
        await wait(PAUSE_MS);
      }
    }
    throw new Error(`A server ended with ${this.#child.exitCode} before its first answer.`);
  }

  async read(): Promise<Reading> {
    // The first message of a server of the benchmark is its hello.
    const answer = new Promise<Reading>((resolve) => {
      this.#child.on('message', (said: Partial<Reading>) => {
        if (said.cpuMicros !== undefined) resolve(said as Reading);
      });
    });
    this.#child.send({ name: 'read' });
    return answer.finally(() => this.#child.removeAllListeners('message'));
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await ended;
  }
}
