import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** The commands that a reader leaves running, in another terminal. */
const STARTS = /^((?:[A-Z_]+=\S+ )*npm start)(?:\s+#.*)?$/;

/** Answers of HTTP from 400 on make curl exit 22, and the failure of a part makes a pipe fail. */
const PRELUDE = `
set -o pipefail
curl() { case " $* " in *" --fail"*) command curl "$@" ;; *) command curl --fail-with-body "$@" ;; esac }
`;

/** Longer than the usual command of a document takes on a busy machine. */
const COMMAND_MS = 120_000;

/** One shell in a folder, to which commands are given one by one, as a reader types them. */
export class Session {
  readonly #folder: string;
  readonly #shell: ChildProcess;
  readonly #ends: AsyncIterator<string>;
  readonly #commandMs: number;
  #count = 0;

  /** Keeps commands and output in `folder`. The shell is in the folder `cwd`. A command that takes longer ends the shell. */
  constructor(folder: string, cwd: string, env: Readonly<Record<string, string>>, commandMs = COMMAND_MS) {
    this.#folder = folder;
    this.#commandMs = commandMs;
    this.#shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    process.once('exit', this.#kill);
    this.#ends = createInterface({ input: this.#shell.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    this.#shell.stdin?.write(PRELUDE);
  }

  /** Runs a command to its end. A server keeps running once it is ready; one that runs already ends before. */
  async run(command: string): Promise<Ran> {
    if (command === 'Ctrl+C') return this.stopServer();
    const [, start] = STARTS.exec(command) ?? [];
    if (start === undefined) return this.#type(command);
    const stopped = await this.stopServer();
    if (stopped.code !== 0) return stopped;
    const out = join(this.#folder, 'server');
    const isReady = `grep -q 'Stop it with Ctrl+C' '${out}'`;
    await this.#type(`: >'${out}'; ${start} >'${out}' 2>&1 &\nSERVER=$!`);
    return this.#type(`until ${isReady} || ! kill -0 $SERVER; do sleep 0.05; done; cat '${out}'; ${isReady}`);
  }

  /** Ends the server, if one runs, as Ctrl+C does. */
  stopServer(): Promise<Ran> {
    return this.#type('[ -z "$SERVER" ] || { PID=$SERVER; SERVER=; kill -TERM $PID; wait $PID; }');
  }

  /** Ends the shell, and whatever it has left running. The end of this process ends them too. */
  async close(): Promise<void> {
    process.off('exit', this.#kill);
    if (this.#shell.exitCode !== null || this.#shell.signalCode !== null) return;
    const ended = once(this.#shell, 'exit');
    this.#kill();
    await ended;
  }

  /** The shell leads a group, which has every process that it started. */
  readonly #kill = (): void => {
    try {
      process.kill(-(this.#shell.pid as number), 'SIGKILL');
    } catch {
      // All of them have ended.
    }
  };

  async #type(command: string): Promise<Ran> {
    this.#count += 1;
    const file = join(this.#folder, `typed-${this.#count}`);
    await writeFile(file, `${command}\n`);
    this.#shell.stdin?.write(`. '${file}' </dev/null >'${file}.out' 2>'${file}.err'; echo $?\n`);
    const late = setTimeout(() => this.#kill(), this.#commandMs);
    const { value, done } = await this.#ends.next();
    clearTimeout(late);
    const [stdout, stderr] = await Promise.all([readFile(`${file}.out`, 'utf8'), readFile(`${file}.err`, 'utf8')]);
    return done
      ? { code: -1, stdout, stderr: `${stderr}The shell has ended; a command may take ${this.#commandMs} ms.` }
      : { code: Number(value), stdout, stderr };
  }
}
