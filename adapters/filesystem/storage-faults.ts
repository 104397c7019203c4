import { StoreUnavailable } from '../store/table.ts';

/** True for an error of the operating system with this code, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * Converts an error of the operating system to StoreUnavailable with one line that names the folder. Returns any other
 * error unchanged.
 */
export const asUnavailable = (folder: string, error: unknown): unknown =>
  error instanceof Error && 'errno' in error
    ? new StoreUnavailable(`The object store in ${folder} does not work: ${error.message}`, { cause: error })
    : error;

/**
 * Runs work on the disk. An error of the operating system (disk full, read-only, no permission, no such folder) fails
 * with StoreUnavailable, whose message is one line that names the folder and the reason.
 */
export const onDisk = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(folder, error);
  }
};
