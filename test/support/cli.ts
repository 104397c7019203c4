import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../runtimes/cli/main.ts', import.meta.url));

/** What was compiled once isn't compiled again by the next of many short processes. */
const NODE_COMPILE_CACHE = join(tmpdir(), `cli-tests-${process.getuid?.() ?? 0}`);

export type Ran = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as the one JSON value that it has to be. */
  readonly json: () => ReturnType<typeof JSON.parse>;
};

/** Runs the command line as a process of its own, with nothing of this one's environment but the path. */
export const cli = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const { PATH = '' } = process.env;
    const options = { env: { PATH, NODE_COMPILE_CACHE, ...env }, timeout: 15_000 };
    execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, stdout, stderr, json: () => JSON.parse(stdout) });
    });
  });
