import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './faults.ts';
import { ensureSchema } from './schema.ts';

/**
 * What a commit waits for. FULL: until it is on the disk. NORMAL: for nothing, so that a power failure takes the last
 * commits back; but before the write-ahead log is copied into the file and begun anew it is still synced, and so are the
 * file and the log's new header. OFF would leave that out too: then a power failure could leave pages of the file half
 * copied with no log to mend them, which costs everything and not just the last moments, also of what others committed
 * with FULL.
 */
export type Synchronous = 'FULL' | 'NORMAL';

const RETRY_MS = 5;

/** Makes the file if there is none, for its owner alone; SQLite gives the files beside it the same mode. */
const ensureFile = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
};

/** Tries again while others hold the file: SQLite doesn't wait by itself for a change of the journal mode. */
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

/** Opens the store's file in write-ahead mode, made if there is none. Throws as SQLite and the file system do. */
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
