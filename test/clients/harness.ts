import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Harness } from '../../clients/run-cases.ts';
import { CARGO } from '../support/cargo.ts';

export const CLIENTS = join(import.meta.dirname, '..', '..', 'clients');

/** Python with its library, and Go from PyPI, so that a machine only needs Debian's Python. */
const VENV = join(CLIENTS, '..', 'test', 'peers', 'node_modules', '.cache', 'clients');
const inVenv = (program: string): string => join(VENV, 'bin', program);

/** Rust compiles for a minute on an idle machine. */
export const LANGUAGES_TIMEOUT = 600_000;

/** Installs the languages. Rust's compiler must already be installed. */
export const installLanguages = async (): Promise<void> => {
  const run = promisify(execFile);
  if (TESTED.some((language) => language === 'rust' || language === 'c')) {
    const build = ['build', '--quiet', '--locked', '--workspace', '--lib', '--example', 'harness'];
    await run('cargo', build, { cwd: CLIENTS, env: { ...process.env, ...CARGO } }).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
      throw new Error(
        'The tests of the clients in Rust and C need cargo 1.88 or newer in the PATH. Install it from https://rustup.rs.',
      );
    });
  }
  if (TESTED.some((language) => language !== 'js' && language !== 'rust')) await installGo();
  // It is built first, because in one case the harness can write no file.
  if (TESTED.includes('go'))
    await run(goProgram, ['build', '-o', GO_HARNESS, './harness'], { cwd: join(CLIENTS, 'go') });
};

/** Installs Python with its libraries, and Go, unless an earlier test of the same Python did. */
export const installGo = async (): Promise<void> => {
  const run = promisify(execFile);
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const { stdout: python } = await run('/usr/bin/python3', ['--version']);
  const [wanted, file] = [python + (await readFile(requirements, 'utf8')), join(VENV, 'installed')];
  if ((await readFile(file, 'utf8').catch(() => undefined)) === wanted) return;
  await run('/usr/bin/python3', ['-m', 'venv', VENV]);
  await run(inVenv('pip'), ['install', '--quiet', '--requirement', requirements]);
  await writeFile(file, wanted);
};

export const goProgram = inVenv('go');
export const pythonProgram = inVenv('python3');
const GO_HARNESS = inVenv('go-harness');

/** The command that starts each client's harness, and its folder. */
export const LANGUAGES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  js: [process.execPath, 'harness.js'],
  go: [GO_HARNESS],
  python: [pythonProgram, 'harness.py'],
  rust: [join(CLIENTS, 'target', 'debug', 'examples', 'harness')],
  c: [pythonProgram, 'harness.py'],
};

/** The languages to test: all by default, or those in the variable CLIENTS. */
export const TESTED = (process.env['CLIENTS'] ?? Object.keys(LANGUAGES).join()).split(',');

/** A client of one language, in the folder of its harness. */
export class LanguageHarness extends Harness {
  constructor(language: string) {
    super(LANGUAGES[language] ?? [''], { cwd: join(CLIENTS, language) });
  }
}
