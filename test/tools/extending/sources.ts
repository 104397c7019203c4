import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyProject } from '../../support/project-files.ts';
import type { Change, Step } from './walks.ts';

/** Copies the sources into a new folder. The packages are linked. */
export const copySources = (folder: string): Promise<void> => copyProject(folder, ['.', 'test/peers']);

/** Runs git in a folder of sources, with a text as its input. Returns its error message; undefined if it succeeds. */
export const git = (folder: string, args: readonly string[], input = ''): string | undefined => {
  // Without the ceiling, git would use a repository that contains the folder.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  const { status, stderr } = spawnSync('git', args, { cwd: folder, input, encoding: 'utf8', env });
  return status === 0 ? undefined : stderr.trim();
};

/** Makes a change in a copy of the sources. Returns the reason if it can't be made; otherwise undefined. */
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
