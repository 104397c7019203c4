import { constants, type FileHandle, link, open, rm } from 'node:fs/promises';
import { hasCode } from './storage-faults.ts';

const OWNER_ONLY = 0o600;

/** Opens a file for reading; undefined if it does not exist. Refuses a symbolic link with ELOOP. */
export const openPlain = async (file: string): Promise<FileHandle | undefined> => {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** Creates a file that only its owner may read. Fails if it exists. */
export const createFile = (file: string): Promise<FileHandle> => open(file, 'wx', OWNER_ONLY);

/** Makes the names in a folder durable, so that they survive a power failure. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return; // Windows has no handle for a folder to sync
  await using handle = await open(folder, 'r');
  await handle.sync();
};

/** Creates a file with the whole text, synced to disk. Returns false and changes nothing if the file already exists. */
export const createOnce = async (file: string, text: string, draft: string): Promise<boolean> => {
  try {
    await using handle = await createFile(draft);
    await handle.writeFile(text);
    await handle.sync();
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
};
