import { closeSync, existsSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../store/table.ts';
import { storeFault } from './faults.ts';
import { checkStoreFile } from './schema.ts';

/** Pages that are copied in one step on a thread of Node's, between two reports of the progress. */
const PAGES = 1000;

const reading = (file: string): DatabaseSync => {
  // SQLite would say that a missing file can't be opened.
  if (!existsSync(file)) throw new StoreUnavailable(`There is no store ${file}.`);
  return new DatabaseSync(file, { readOnly: true });
};

const numberOf = (db: DatabaseSync, sql: string): number => Number(Object.values(db.prepare(sql).get() ?? {})[0]);

const faultless = async <T>(file: string, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw storeFault(error, file);
  }
};

/** The bytes of a copy of the store's file. Throws StoreUnavailable for a file that is missing or no store. */
export const snapshotSize = (file: string): Promise<number> =>
  faultless(file, () => {
    using db = reading(file);
    checkStoreFile(db, file);
    return numberOf(db, 'PRAGMA page_count') * numberOf(db, 'PRAGMA page_size');
  });

/**
 * Copies the store's file as it is at one moment, while others write to it. The copy is one file, whole in itself,
 * which only its owner can read. Returns the number of its entries. Fails if the target exists.
 */
export const snapshot = (
  file: string,
  target: string,
  progress: (done: number, total: number) => void,
): Promise<number> =>
  faultless(file, async () => {
    using db = reading(file);
    // A transaction that only reads holds one state of the file. Without it, each write of others would begin the copy
    // again.
    db.exec('BEGIN');
    checkStoreFile(db, file);
    closeSync(openSync(target, 'wx', 0o600));
    await backup(db, target, {
      rate: PAGES,
      progress: ({ totalPages, remainingPages }) => progress(totalPages - remainingPages, totalPages),
    });
    db.exec('COMMIT');
    using copy = new DatabaseSync(target);
    // The write-ahead mode would make files beside the copy whenever somebody opens it.
    copy.exec('PRAGMA journal_mode = DELETE');
    return numberOf(copy, 'SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM counters)');
  });

/** The faults that SQLite finds in a whole file, at most five; none in a sound one. The file stays as it is. */
export const integrityFaults = (file: string): Promise<string[]> =>
  faultless(file, () => {
    using db = reading(file);
    const rows = db.prepare('PRAGMA integrity_check(5)').all();
    return rows.map(({ integrity_check }) => String(integrity_check)).filter((line) => line !== 'ok');
  });
