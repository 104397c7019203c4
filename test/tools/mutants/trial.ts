import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProject } from '../../support/project-files.ts';

const SURFACE = 'test/surface/embedded.test.ts test/surface/write-barrier.test.ts';
/** The compiler judges too: a code that no type has is no program. An unused name is no fault. */
const TYPES = 'runtimes/package/tsconfig.json';
const CHECKED = '--noEmit --noUnusedLocals false --noUnusedParameters false';
/** The suites that judge a mutant, cheapest first. */
export const SUITES = ['test/domain/', 'test/application/', TYPES, SURFACE];

/** Copies the project, so that no mutant is ever in the checkout. */
export const openScratch = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
  await copyProject(folder, ['.']);
  return folder;
};

/**
 * Runs a suite in a scratch copy until it fails. `killer` is the first fault, or null if all passed. A suite that takes
 * longer than `longest` milliseconds, an hour by default, fails too.
 */
export const runSuite = async (folder: string, suite: string, longest = 3_600_000) => {
  const TMPDIR = join(folder, 'tmp');
  await mkdir(TMPDIR, { recursive: true });
  const options = '--bail=1 --maxWorkers=1 --reporter=dot --passWithNoTests';
  const tests = `node_modules/vitest/vitest.mjs run ${suite} ${options}`;
  const words = (suite === TYPES ? `node_modules/@typescript/native/bin/tsc -p ${suite} ${CHECKED}` : tests).split(' ');
  const env = { ...process.env, TMPDIR, NO_COLOR: '1' };
  const began = Date.now();
  // A group of its own, so that the workers end with it.
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
