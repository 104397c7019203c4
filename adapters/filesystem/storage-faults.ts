import { StoreUnavailable } from '../store/table.ts';

/** True for an error of the operating system with this code, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** An error of the operating system as StoreUnavailable, in one line that names the folder; any other as it is. */
export const asUnavailable = (folder: string, error: unknown): unknown =>
  error instanceof Error && 'errno' in error
    ? new StoreUnavailable(`The object store in ${folder} does not work: ${error.message}`, { cause: error })
    : error;

/**
 * Runs what touches the disk. What the operating system refuses (full, read-only, no permission, no such folder) fails
 * with StoreUnavailable, whose message is one line that names the folder and the reason.
 */
export const onDisk = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(folder, error);
  }
};
