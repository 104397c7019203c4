import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const CLIENTS = join(import.meta.dirname, '..', '..', 'clients');

/** Python with its library, and the Go of PyPI, so that a machine needs Debian's Python alone. */
const VENV = join(CLIENTS, '..', 'test', 'peers', 'node_modules', '.cache', 'clients');
const inVenv = (program: string): string => join(VENV, 'bin', program);

/** Rust compiles for a minute on an idle machine. */
export const LANGUAGES_TIMEOUT = 600_000;

/** Installs the languages. Rust's compiler comes with the machine. */
export const installLanguages = async (): Promise<void> => {
  const run = promisify(execFile);
  const build = ['build', '--quiet', '--locked', '--workspace', '--lib', '--example', 'harness'];
  await run('cargo', build, { cwd: CLIENTS }).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(
      'The tests of the clients in Rust and C need cargo 1.88 or newer in the PATH. Install it from https://rustup.rs.',
    );
  });
  await installGo();
};

/** Installs Python with its library, and Go. */
export const installGo = async (): Promise<void> => {
  const run = promisify(execFile);
  await run('/usr/bin/python3', ['-m', 'venv', VENV]);
  await run(inVenv('pip'), ['install', '--quiet', '--requirement', join(import.meta.dirname, 'requirements.txt')]);
};

export const goProgram = inVenv('go');

/** How the harness of each client is started, in its folder. */
export const LANGUAGES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  js: [process.execPath, 'harness.js'],
  go: [inVenv('go'), 'run', './harness'],
  python: [inVenv('python3'), 'harness.py'],
  rust: [join(CLIENTS, 'target', 'debug', 'examples', 'harness')],
  c: [inVenv('python3'), 'harness.py'],
};

export type Said = { readonly ok?: unknown; readonly error?: unknown };

/** A client of one language in a process of its own, driven by lines of JSON. */
export class Harness {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(language: string) {
    const [program, ...args] = LANGUAGES[language] ?? [''];
    this.#child = spawn(program, args, { cwd: join(CLIENTS, language), stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdout } = this.#child;
    if (!stdout) throw new Error('The harness has no output.');
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  send(line: object): void {
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  /** The next line that the client says. */
  async next(): Promise<Said & { readonly code?: Readonly<Record<string, unknown>> }> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('The harness ended.');
    return JSON.parse(value);
  }

  async ask(line: object): Promise<Said> {
    this.send(line);
    return this.next();
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }
}
