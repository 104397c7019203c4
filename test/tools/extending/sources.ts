import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { PROJECT } from '../documents/read.ts';
import type { Change, Step } from './walks.ts';

/** Not in a fresh copy of the sources. */
const LEFT_OUT = new Set(['.git', '.data', 'dist', 'coverage', 'cdk.out', 'lambda.out']);

/** The folders whose packages a copy shares with the project. */
const SETS_OF_PACKAGES = ['.', 'test/peers', 'infra'];

/** Copies the sources into a folder that is not there yet. The packages are linked. */
export const copySources = async (folder: string): Promise<void> => {
  await mkdir(folder);
  for (const name of await readdir(PROJECT)) {
    if (LEFT_OUT.has(name) || name === 'node_modules') continue;
    await cp(join(PROJECT, name), join(folder, name), {
      recursive: true,
      filter: (path) => basename(path) !== 'node_modules' && !LEFT_OUT.has(relative(PROJECT, path)),
    });
  }
  for (const set of SETS_OF_PACKAGES) {
    await symlink(join(PROJECT, set, 'node_modules'), join(folder, set, 'node_modules'));
  }
};

/** Runs git in a folder of sources, with a text as its input. Answers its complaint; undefined where it has none. */
export const git = (folder: string, args: readonly string[], input = ''): string | undefined => {
  // Without its ceiling, git would take a repository around the folder for its own.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  const { status, stderr } = spawnSync('git', args, { cwd: folder, input, encoding: 'utf8', env });
  return status === 0 ? undefined : stderr.trim();
};

/** Makes a change in a copy of the sources. Answers the reason why it can't be made; undefined where it was made. */
export const make = async (folder: string, change: Change): Promise<string | undefined> => {
  if (change.kind === 'diff') return git(folder, ['apply', '--whitespace=nowarn', '-'], change.text);
  const path = join(folder, change.path);
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, change.text, { flag: 'wx' });
    return undefined;
  } catch {
    return `${change.path} is there already, so that the walk has to show its change as a diff.`;
  }
};

/** The files that a diff changes, as paths from the root of the sources. */
export const filesOf = (diff: string): string[] =>
  [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path);

/** The files that a step changes. */
export const filesIn = (step: Step): string[] => {
  if (step.kind === 'file') return [step.path];
  return step.kind === 'diff' ? filesOf(step.text) : [];
};

export const textOf = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');
