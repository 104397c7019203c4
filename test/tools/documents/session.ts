import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

export type Session = {
  /**
   * Runs a command to its end. A server keeps running once it is ready; one that is already running is stopped first.
   */
  readonly run: (command: string) => Promise<Ran>;
  /** Stops a running server, as Ctrl+C does. */
  readonly stopServer: () => Promise<Ran>;
  /** Ends the shell and its background processes. They also end with this process. */
  readonly close: () => Promise<void>;
};

/** The commands that a reader leaves running, in another terminal. */
const STARTS = /^((?:[A-Z_]+=\S+ )*npm start)(?:\s+#.*)?$/;

/** HTTP statuses from 400 on make curl exit with 22, and the failure of a part makes a pipe fail. */
const PRELUDE = `
set -o pipefail
curl() { case " $* " in *" --fail"*) command curl "$@" ;; *) command curl --fail-with-body "$@" ;; esac }
`;

/** The programs that run instead of words in commands. */
export type Programs = Readonly<Record<string, string>>;

/** The scripts of package.json run directly, because starting npm takes longer than most commands. */
const SOURCES: Programs = { 'npm run -s cli -- ': 'node runtimes/cli/main.ts ' };

/** A running server sees what a command changed after at most a second. A reader takes longer than that. */
const COMMAND = /\bcli -- /;
const SEEN_MS = 1100;

/** Longer than a document's usual command takes on a busy machine. */
const COMMAND_MS = 120_000;

/** Opens a shell in `cwd` that runs one command after the other. It stores commands and output in `folder`. */
export const openSession = (
  folder: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  commandMs = COMMAND_MS,
  programs = SOURCES,
): Session => {
  const withPrograms = (command: string): string =>
    Object.entries(programs).reduce((text, [words, program]) => text.replaceAll(words, program), command);
  const args = ['--noprofile', '--norc'];
  const shell = spawn('bash', args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  // The shell leads a process group with every process that it started.
  const kill = (): void => {
    try {
      process.kill(-(shell.pid as number), 'SIGKILL');
    } catch {
      // All of them have ended.
    }
  };
  process.once('exit', kill);
  const ends = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  shell.stdin.write(PRELUDE);

  let count = 0;
  let wasCommand = false;
  const type = async (command: string): Promise<Ran> => {
    count += 1;
    const file = join(folder, `typed-${count}`);
    await writeFile(file, `${withPrograms(command)}\n`);
    shell.stdin.write(`. '${file}' </dev/null >'${file}.out' 2>'${file}.err'; echo $?\n`);
    const late = setTimeout(kill, commandMs);
    const { value, done } = await ends.next();
    clearTimeout(late);
    const [stdout, stderr] = await Promise.all([readFile(`${file}.out`, 'utf8'), readFile(`${file}.err`, 'utf8')]);
    return done
      ? { code: -1, stdout, stderr: `${stderr}The shell has ended; a command may take ${commandMs} ms.` }
      : { code: Number(value), stdout, stderr };
  };
  const stopServer = () => type('[ -z "$SERVER" ] || { PID=$SERVER; SERVER=; kill -TERM $PID; wait $PID; }');
  const run = async (command: string): Promise<Ran> => {
    const [, start] = STARTS.exec(command) ?? [];
    if (command === 'Ctrl+C') return stopServer();
    const isCommand = COMMAND.test(command);
    if (wasCommand && !isCommand) await pause(SEEN_MS);
    wasCommand = isCommand;
    if (start === undefined) return type(command);
    const stopped = await stopServer();
    if (stopped.code !== 0) return stopped;
    const out = join(folder, 'server');
    const isReady = `grep -q 'Stop it with Ctrl+C' '${out}'`;
    await type(`: >'${out}'; ${start} >'${out}' 2>&1 &\nSERVER=$!`);
    return type(`until ${isReady} || ! kill -0 $SERVER; do sleep 0.05; done; cat '${out}'; ${isReady}`);
  };
  const close = async (): Promise<void> => {
    process.off('exit', kill);
    const ended = shell.exitCode === null && shell.signalCode === null ? once(shell, 'exit') : undefined;
    kill();
    await ended;
  };
  return { run, stopServer, close };
};
