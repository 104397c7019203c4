import { StoreUnavailable } from '../store/table.ts';

const SQLITE_BUSY = 5;

/** Result codes of SQLite (https://sqlite.org/rescode.html) for faults around the file, as opposed to bugs. */
const REASONS: Readonly<Record<number, string>> = {
  [SQLITE_BUSY]: 'another process keeps it locked',
  7: 'there is no memory left',
  8: 'its file or folder is read-only',
  10: 'reading or writing its file failed',
  11: 'its file is damaged',
  13: 'the disk is full',
  14: 'its file cannot be opened',
  26: 'its file is not a database',
};

/** Fields of Node's errors: SQLite's errors have `errcode`, those of the file system have `syscall`. */
type Codes = { readonly code?: unknown; readonly errcode?: unknown; readonly syscall?: unknown };

const codes = (error: unknown): Codes => (error instanceof Error ? (error as Error & Codes) : {});

/** The primary result code of a SQLite error, the low byte of its extended code; 0 for any other error. */
const resultCode = (error: unknown): number => {
  const { code, errcode } = codes(error);
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : 0;
};

/** True if another process or connection has locked the file. */
export const isBusy = (error: unknown): boolean => resultCode(error) === SQLITE_BUSY;

const reason = (error: unknown): string | undefined => {
  const { code, syscall } = codes(error);
  if (code === 'ERR_INVALID_STATE') return 'it is closed';
  if (typeof syscall === 'string') return `its file cannot be opened for writing (${code})`;
  return REASONS[resultCode(error)];
};

/**
 * Turns a fault of the file into StoreUnavailable, whose one-line message names the file; returns any other error
 * unchanged.
 */
export const storeFault = (error: unknown, file: string): unknown => {
  const why = reason(error);
  return why === undefined
    ? error
    : new StoreUnavailable(`The store ${file} is unavailable: ${why}.`, { cause: error });
};

/** Runs the work and rethrows its error through `storeFault`. */
export const orStoreFault = <T>(file: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw storeFault(error, file);
  }
};
