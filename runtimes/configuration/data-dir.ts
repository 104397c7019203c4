import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

/**
 * Creates the folder and its missing parents, readable only by their owner. An existing folder stays unchanged. Throws
 * the file system's error. Node's own `recursive` hangs for a folder in which nothing can be created, such as /proc,
 * because mkdir returns ENOENT there.
 */
export const makeFolder = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created the folder at the same moment.
    if (codeOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
};

/** The paths of the embedded store's parts in `DATA_DIR`. */
export const dataFiles = (dataDir: string) => ({
  table: join(dataDir, 'store.db'),
  objects: join(dataDir, 'objects'),
  spool: join(dataDir, 'spool'),
  keys: join(dataDir, 'keys'),
  downloadSecret: join(dataDir, 'keys', 'download-secret'),
});

/** The file that marks a folder as a backup. */
export const BACKUP_MANIFEST = 'backup.json';

/**
 * Creates the folder `DATA_DIR` if it does not exist. Throws a one-line error if the folder can't be created or, where
 * that is asked, written, or if it is a backup, which must not be changed.
 */
export const prepareDataDir = (dataDir: string, isWritten = false): void => {
  if (existsSync(join(dataDir, BACKUP_MANIFEST))) {
    throw new Error(
      `DATA_DIR ${dataDir} is a backup, which stays as it is; create a store from it: restore ${dataDir} --to FOLDER`,
    );
  }
  try {
    makeFolder(resolve(dataDir));
    if (isWritten) accessSync(dataDir, constants.W_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new Error(`DATA_DIR ${dataDir} can't be written (${code}); name a folder that this user may write.`);
  }
};
