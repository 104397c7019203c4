import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The faults of a folder in which this user can't make another. */
const NO_FOLDER = ['EACCES', 'EEXIST', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS'];

/**
 * Runs work that fills a new folder and then renames it to `folder`, or to a name within. A folder that still has its
 * initial name in the end is removed. Throws a one-line error that names `folder` if it can't be made, or its disk is
 * full.
 */
export const inNewFolder = async <T>(unfinished: string, folder: string, work: () => Promise<T>): Promise<T> => {
  try {
    await mkdir(dirname(unfinished), { recursive: true, mode: 0o700 });
    await mkdir(unfinished, { mode: 0o700 });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!NO_FOLDER.includes(code)) throw full(error, folder);
    throw new Error(`The folder ${folder} can't be made (${code}); name one where this user may write.`);
  }
  try {
    return await work();
  } catch (error) {
    throw full(error, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
  }
};

/** The error for a person if the error says that the disk is full; otherwise the error itself. */
const full = (error: unknown, folder: string): unknown => {
  const { code, cause, errcode } = error as { code?: unknown; errcode?: unknown; cause?: { code?: unknown } };
  if (code !== 'ENOSPC' && cause?.code !== 'ENOSPC' && errcode !== 13) return error;
  return new Error(
    `The disk of ${folder} is full; free some space, or name a folder on another disk. Nothing was kept.`,
  );
};
