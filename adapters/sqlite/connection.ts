import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './faults.ts';
import { ensureSchema } from './schema.ts';

/**
 * The moment at which a commit returns. FULL: once it is on the disk. NORMAL: at once, so that a power failure undoes
 * the last commits; SQLite still syncs the write-ahead log before it copies the log into the file, and syncs the file
 * and the log's new header. There is no OFF, which skips those syncs too: a power failure could then leave half-copied
 * pages with no log to mend them, and so destroy the whole file, including commits made with FULL.
 */
export type Synchronous = 'FULL' | 'NORMAL';

const RETRY_MS = 5;

/** Makes a missing file, readable by its owner alone; SQLite gives the files beside it the same mode. */
const ensureFile = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
};

/** Tries again while others lock the file, because SQLite itself does not wait for a change of the journal mode. */
const whenFree = <T>(waitMs: number, work: () => T): T => {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (const deadline = Date.now() + waitMs; ; ) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error;
      Atomics.wait(sleeper, 0, 0, RETRY_MS);
    }
  }
};

/**
 * Opens the store's file in write-ahead mode and makes a missing file. Throws the errors of SQLite and the file system.
 */
export const openConnection = (file: string, synchronous: Synchronous, busyTimeoutMs: number): DatabaseSync => {
  ensureFile(file);
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    whenFree(busyTimeoutMs, () => db.exec('PRAGMA journal_mode = WAL'));
    db.exec(`PRAGMA synchronous = ${synchronous}`);
    ensureSchema(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};
