import { closeSync, existsSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../store/table.ts';
import { storeFault } from './faults.ts';
import { checkStoreFile } from './schema.ts';

/** The number of pages that one step copies on a thread of Node, between two progress reports. */
const PAGES = 1000;

const reading = (file: string): DatabaseSync => {
  // SQLite's own message says only that the file can't be opened.
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

/** The size of a copy of the store's file. Throws StoreUnavailable if the file is missing or not a store. */
export const snapshotSize = (file: string): Promise<number> =>
  faultless(file, () => {
    using db = reading(file);
    checkStoreFile(db, file);
    return numberOf(db, 'PRAGMA page_count') * numberOf(db, 'PRAGMA page_size');
  });

/**
 * Copies the store's file as of one moment, while others write to it. The copy is one complete file, readable only by
 * its owner. Returns the number of its entries. Fails if the target exists.
 */
export const snapshot = (
  file: string,
  target: string,
  progress: (done: number, total: number) => void,
): Promise<number> =>
  faultless(file, async () => {
    using db = reading(file);
    // A read transaction holds one state of the file. Without it, each write of another process would restart the copy.
    db.exec('BEGIN');
    checkStoreFile(db, file);
    closeSync(openSync(target, 'wx', 0o600));
    await backup(db, target, {
      rate: PAGES,
      progress: ({ totalPages, remainingPages }) => progress(totalPages - remainingPages, totalPages),
    });
    db.exec('COMMIT');
    using copy = new DatabaseSync(target);
    // In write-ahead mode, opening the copy would create files beside it.
    copy.exec('PRAGMA journal_mode = DELETE');
    return numberOf(copy, 'SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM counters)');
  });

/** Up to five faults that SQLite finds in the whole file. The file is not changed. */
export const integrityFaults = (file: string): Promise<string[]> =>
  faultless(file, () => {
    using db = reading(file);
    const rows = db.prepare('PRAGMA integrity_check(5)').all();
    return rows.map(({ integrity_check }) => String(integrity_check)).filter((line) => line !== 'ok');
  });
