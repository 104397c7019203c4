import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');
/** git reads another user's checkout, as in a CI container, only if it is told to. */
const TRUSTED = ['-c', `safe.directory=${PROJECT}`];
const LISTED = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];

/** The files of the project, including new ones but not those that git ignores, as sorted paths from its root. */
export const projectFiles = (): string[] =>
  execFileSync('git', [...TRUSTED, ...LISTED], { cwd: PROJECT, encoding: 'utf8', maxBuffer: 2 ** 24 })
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(PROJECT, name)))
    .sort();

/** Copies the files of the project into a folder. The packages of the named folders are linked. */
export const copyProject = async (folder: string, packagesOf: readonly string[]): Promise<void> => {
  for (const name of projectFiles()) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await copyFile(join(PROJECT, name), join(folder, name));
  }
  for (const set of packagesOf) await symlink(join(PROJECT, set, 'node_modules'), join(folder, set, 'node_modules'));
};
