import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type CliOptions, setOptions } from '../../runtimes/cli/options.ts';
import { run } from '../../runtimes/cli/program.ts';

/** The program of the command line. */
export const MAIN = fileURLToPath(new URL('../../runtimes/cli/main.ts', import.meta.url));

export type Ran = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Parses standard output, which must be one JSON value. */
  readonly json: () => ReturnType<typeof JSON.parse>;
};

const ran = (code: number, stdout: string, stderr: string): Ran => ({
  code,
  stdout,
  stderr,
  json: () => JSON.parse(stdout),
});

/** The parts of the process that a command reads and writes, in their state before the command. */
const surroundings = () => {
  const { env, stdin, exitCode } = process;
  const [out, err] = [process.stdout.write, process.stderr.write];
  return () => {
    Object.assign(process, { env, exitCode });
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
    Object.assign(process.stdout, { write: out });
    Object.assign(process.stderr, { write: err });
  };
};

/** Records the text written to a stream. */
const catching = (stream: NodeJS.WriteStream): string[] => {
  const texts: string[] = [];
  const write = (text: string | Uint8Array): boolean => {
    texts.push(typeof text === 'string' ? text : Buffer.from(text).toString());
    return true;
  };
  Object.assign(stream, { write });
  return texts;
};

const runHere = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: string,
  options: CliOptions,
): Promise<Ran> => {
  const restore = surroundings();
  try {
    Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
    Object.assign(process, { env: { PATH: process.env['PATH'], ...env }, exitCode: undefined });
    const [stdout, stderr] = [catching(process.stdout), catching(process.stderr)];
    setOptions(options);
    await run(args);
    return ran(Number(process.exitCode ?? 0), stdout.join(''), stderr.join(''));
  } finally {
    restore();
  }
};

let before: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line in this process, one command after the other. It sees only this environment and PATH, and its
 * standard input is `input`.
 */
export const cli = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
  options: CliOptions = {},
): Promise<Ran> => {
  const running = before.then(() => runHere(args, env, input, options));
  before = running.catch(() => {});
  return running;
};

/**
 * Runs the command line in a separate process, which inherits only PATH from this one's environment. Its standard input
 * is `input`. `program` is the path of another program that runs the command line.
 */
export const spawnedCli = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
  program = MAIN,
): Promise<Ran> =>
  new Promise((resolve) => {
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const options = { env: { PATH, NODE_COMPILE_CACHE, ...env }, timeout: 60_000 };
    const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve(ran(code, stdout, stderr));
    });
    // A command that ends without reading its input closes the pipe.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
