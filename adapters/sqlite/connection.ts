import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './faults.ts';
import { checkStoreFile, ensureSchema } from './schema.ts';

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
export const openConnection = (file: string, busyTimeoutMs: number): DatabaseSync => {
  ensureFile(file);
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    whenFree(busyTimeoutMs, () => db.exec('PRAGMA journal_mode = WAL'));
    ensureSchema(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** Opens a finished store's file for reads alone, and leaves file and folder as they are. Throws as `openConnection` does. */
export const openFinished = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    checkStoreFile(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};
