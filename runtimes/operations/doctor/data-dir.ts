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
