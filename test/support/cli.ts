import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../runtimes/cli/main.ts', import.meta.url));

/** The many short processes share one compile cache. */
const NODE_COMPILE_CACHE = join(tmpdir(), `cli-tests-${process.getuid?.() ?? 0}`);

export type Ran = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Parses standard output, which has to be one JSON value. */
  readonly json: () => ReturnType<typeof JSON.parse>;
};

/**
 * Runs the command line in its own process, which inherits only PATH from this one's environment. Its standard input is
 * `input`. `program` is the path of another program that runs the command line.
 */
export const cli = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
  program = MAIN,
): Promise<Ran> =>
  new Promise((resolve) => {
    const { PATH = '' } = process.env;
    const options = { env: { PATH, NODE_COMPILE_CACHE, ...env }, timeout: 60_000 };
    const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, stdout, stderr, json: () => JSON.parse(stdout) });
    });
    // A command that ends without reading its input closes the pipe.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
