import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** The file's text; undefined if there is no file. Throws if anybody but its owner may read or write the file. */
export const readPrivately = (file: string): string | undefined => {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    const stat = fstatSync(descriptor);
    // A script that follows the advice below on a folder would close it.
    if (stat.isDirectory()) throw new Error(`${file} is a folder; name a file.`);
    // Windows has no such permission bits; the folder's own permissions protect the file there.
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
      throw new Error(`${file} holds a secret that others may read; run: chmod 600 ${file}`);
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
};

const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return; // Windows cannot open a folder to sync it
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/**
 * Creates the file atomically, readable only by its owner, and its folder if needed. Returns false and changes nothing
 * if the file already exists, for example because another process has just created it.
 */
export const createOnce = (file: string, text: string): boolean => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    linkSync(temporary, file);
    syncFolder(dirname(file));
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
};

/** Empties the file but keeps its name taken. */
export const emptyFile = (file: string): void => {
  const isEmpty = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (!isEmpty) writeFileSync(file, '', { mode: 0o600, flush: true });
};

/**
 * The text of a file that only its owner may read. A missing file is created with the text of `make`. Processes that
 * start at the same time all get the same text. Throws a one-line error if others may read the file.
 */
export const loadOrCreateText = (file: string, make: () => string): string => {
  const found = readPrivately(file);
  if (found !== undefined) return found;
  createOnce(file, make());
  const created = readPrivately(file);
  if (created === undefined) throw new Error(`${file} was removed while it was being made.`);
  return created;
};

/**
 * 32 secret bytes, stored as hex in a file that only its owner may read. A missing file is created with random bytes.
 * Throws a one-line error if others may read the file or it contains anything else.
 */
export const loadOrCreateSecret = (file: string): Buffer => {
  const text = loadOrCreateText(file, () => `${randomBytes(32).toString('hex')}\n`).trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${file} does not hold 32 bytes as 64 lower-case hex digits.`);
  return Buffer.from(text, 'hex');
};
