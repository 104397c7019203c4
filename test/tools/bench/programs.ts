import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Reading } from './child.ts';
import { Connection, type Shot } from './connection.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** A shell command line, as in a script of package.json. */
export type Program = string;

/** The command line that `npm` runs for a script of package.json. */
export const scriptProgram = (name: 'start' | 'cli', args = ''): Program => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  return `${scripts[name]} ${args}`;
};

/** Bundles the service for production, and returns its server and its command line, with the options of npm's scripts. */
export const bundled = (): { readonly start: Program; readonly list: Program } => {
  execFileSync(process.execPath, ['infra/machine/bundle.mjs'], { cwd: ROOT });
  const inBundle = (program: Program) =>
    program.replace(/runtimes\/(?:express|(cli))\/main\.ts/, (_, cli) => `machine.out/${cli ?? 'server'}.mjs`);
  return { start: inBundle(scriptProgram('start')), list: inBundle(scriptProgram('cli', 'account list')) };
};

/** The minimal server, whose sources Node runs like those of the service. */
export const BARE: Program = 'exec node test/tools/bench/servers/bare-server.ts';

/** The minimal server as one JavaScript file beside its packages, so that it starts without stripping types. */
export const bareInJavaScript = async (folder: string): Promise<Program> => {
  const file = join(folder, 'bare.mjs');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await build({
    entryPoints: [join(import.meta.dirname, 'servers', 'bare-server.ts')],
    outfile: file,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node24',
  });
  return `exec node '${file}'`;
};

/** The environment of a program: that of this process, with this Node first in PATH, as under npm. */
const environment = (more: Readonly<Record<string, string>>) => ({
  ...process.env,
  // Reading this machine's additional certificates would count as a part of every start.
  NODE_EXTRA_CA_CERTS: undefined,
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  ...more,
});

/** Injects a reporter into the process of a program. */
export const REPORTING = {
  NODE_OPTIONS: `--import ${new URL('./servers/reporter.mjs', import.meta.url).href}`,
};

/** The milliseconds from the start of a program to its end. Throws if it fails. */
export const wallMillis = async (program: Program, more: Readonly<Record<string, string>>): Promise<number> => {
  const from = performance.now();
  const child = spawn(program, { cwd: ROOT, env: environment(more), shell: true, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`"${program}" ended with ${code}.`);
  return performance.now() - from;
};

const PAUSE_MS = 1;

/** A server that runs as its own program, and reports its CPU time and memory if it has a reporter. */
export class RunningProgram {
  readonly #child: ChildProcess;
  readonly port: number;
  #out = '';

  constructor(program: Program, env: Readonly<Record<string, string>>, port: number) {
    this.port = port;
    this.#child = spawn(program, {
      cwd: ROOT,
      env: environment(env),
      shell: true,
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    this.#child.stdout?.on('data', (part: Buffer) => {
      this.#out += part.toString();
    });
  }

  /** The standard output so far. */
  get out(): string {
    return this.#out;
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Polls until the answer is 200. Throws if the program ends first. */
  async answered(shot: Shot): Promise<void> {
    while (!this.ended) {
      try {
        const connection = await Connection.open(this.port);
        await connection.ask(shot);
        connection.close();
        return;
      } catch {
        // The port is closed, or its server is still starting.
        await wait(PAUSE_MS);
      }
    }
    throw new Error(`A server ended with ${this.#child.exitCode} before its first answer.`);
  }

  async read(): Promise<Reading> {
    // The first message of a benchmark server is its hello.
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
