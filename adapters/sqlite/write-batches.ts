import type { DatabaseSync } from 'node:sqlite';
import type { Expiry } from './expiry.ts';
import { storeFault } from './faults.ts';

type Pending = {
  /** Does the write and returns what tells its caller. */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
};

/**
 * The writes of one turn of the event loop share a transaction, and so one wait for the disk. Each sees what those
 * before it did, and is acknowledged only after the commit; where that fails none of them happened, and all reject.
 */
export class WriteBatches {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #expiry: Expiry;
  #pending: Pending[] = [];

  constructor(db: DatabaseSync, file: string, expiry: Expiry) {
    this.#db = db;
    this.#file = file;
    this.#expiry = expiry;
  }

  /** A write that decides not to happen must do so before its first statement that changes anything. */
  add<T>(write: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#pending.length === 0) setImmediate(() => this.flush());
      const run = () => {
        const result = write();
        this.#expiry.afterWrite();
        return () => resolve(result);
      };
      this.#pending.push({ run, reject });
    });
  }

  flush(): void {
    const batch = this.#pending;
    this.#pending = [];
    if (batch.length === 0) return;
    try {
      // For writing from the start: one that began by reading could not wait for other writers.
      this.#db.exec('BEGIN IMMEDIATE');
      const acknowledgements = batch.map(({ run }) => run());
      this.#db.exec('COMMIT');
      for (const acknowledge of acknowledgements) acknowledge();
    } catch (error) {
      this.#rollBack();
      for (const { reject } of batch) reject(storeFault(error, this.#file));
    }
  }

  /** After some faults, such as a full disk, SQLite has rolled back by itself. */
  #rollBack(): void {
    if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK');
  }
}
