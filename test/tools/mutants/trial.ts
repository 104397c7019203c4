import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProject } from '../../support/project-files.ts';

const SURFACE = 'test/surface/embedded.test.ts test/surface/write-barrier.test.ts';
/** The type check counts too: a mutant with an unknown code is invalid. Unused names are allowed. */
const TYPES = 'runtimes/package/tsconfig.json';
const CHECKED = '--noEmit --noUnusedLocals false --noUnusedParameters false';
/** The suites that run on a mutant, cheapest first. */
export const SUITES = ['test/domain/', 'test/application/', TYPES, SURFACE];

/** Copies the project, so that the checkout never contains a mutant. */
export const openScratch = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
  await copyProject(folder, ['.']);
  return folder;
};

/**
 * Runs a suite in a scratch copy until it fails. `killer` is the first fault, or null if all passed. A suite that takes
 * longer than `longest` milliseconds, by default an hour, fails too.
 */
export const runSuite = async (folder: string, suite: string, longest = 3_600_000) => {
  const TMPDIR = join(folder, 'tmp');
  await mkdir(TMPDIR, { recursive: true });
  const options = '--bail=1 --maxWorkers=1 --reporter=dot --passWithNoTests';
  const tests = `node_modules/vitest/vitest.mjs run ${suite} ${options}`;
  const words = (suite === TYPES ? `node_modules/@typescript/native/bin/tsc -p ${suite} ${CHECKED}` : tests).split(' ');
  const env = { ...process.env, TMPDIR, NO_COLOR: '1' };
  const began = Date.now();
  // A separate process group, so that the workers end with it.
  const run = spawn(process.execPath, words, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [run.stdout, run.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const timer = setTimeout(() => {
    output = ` FAIL  ${suite} took too long`;
    process.kill(-(run.pid as number), 'SIGKILL');
  }, longest);
  const [code] = await once(run, 'close');
  clearTimeout(timer);
  await rm(TMPDIR, { recursive: true, force: true });
  const killer = code === 0 ? null : (/^(?: FAIL +|.*\): error )(.*)$/m.exec(output)?.[1] ?? output.slice(-300));
  return { killer, ms: Date.now() - began };
};
