import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** The paths of the embedded store's parts below `DATA_DIR`. */
export const dataFiles = (dataDir: string) => ({
  table: join(dataDir, 'store.db'),
  objects: join(dataDir, 'objects'),
  spool: join(dataDir, 'spool'),
  keys: join(dataDir, 'keys'),
  downloadSecret: join(dataDir, 'keys', 'download-secret'),
});

/** The file that makes a folder a backup. */
export const BACKUP_MANIFEST = 'backup.json';

/**
 * Creates the folder `DATA_DIR` if it does not exist. Throws a one-line error if the folder can't be created, or is a
 * backup, which nobody may change.
 */
export const prepareDataDir = (dataDir: string): void => {
  if (existsSync(join(dataDir, BACKUP_MANIFEST))) {
    throw new Error(
      `DATA_DIR ${dataDir} is a backup, which stays as it is; make a store of it: restore ${dataDir} --to FOLDER`,
    );
  }
  try {
    makeFolder(resolve(dataDir));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new Error(`DATA_DIR ${dataDir} can't be written (${code}); name a folder that this user may write.`);
  }
};
