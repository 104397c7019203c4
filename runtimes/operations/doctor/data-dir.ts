import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../composition/faults.ts';
import { type Finding, fine, wrong } from './finding.ts';

const CHECK = 'data-dir';

const permissions = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

/** Checks that the folder exists and that this user, and nobody else, can write it. */
export const checkDataDir = async (folder: string): Promise<Finding> => {
  try {
    const found = await stat(folder);
    if (!found.isDirectory()) return wrong(CHECK, `DATA_DIR ${folder} is not a folder; set DATA_DIR to a folder.`);
    await rm(await mkdtemp(join(folder, '.doctor-')), { recursive: true });
    return (found.mode & 0o022) === 0
      ? fine(CHECK, `${folder} can be written, mode ${permissions(found.mode)}.`)
      : wrong(CHECK, `Others may write ${folder} (mode ${permissions(found.mode)}); run: chmod 700 ${folder}`);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? wrong(CHECK, `DATA_DIR ${folder} does not exist; the first start or import makes it.`)
      : wrong(CHECK, `DATA_DIR ${folder} can't be used: ${oneLine(error)}`);
  }
};

/** Checks that only its owner can read the file of a secret. A missing file is fine. */
export const checkKeyFile = async (file: string): Promise<Finding> => {
  try {
    const { mode } = await stat(file);
    return (mode & 0o077) === 0
      ? fine('keys', `${file} is there, mode ${permissions(mode)}.`)
      : wrong('keys', `Others may read ${file} (mode ${permissions(mode)}); run: chmod 600 ${file}`);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? fine('keys', `${file} is not there yet and is made when it is needed.`)
      : wrong('keys', `${file} can't be checked: ${oneLine(error)}`);
  }
};
