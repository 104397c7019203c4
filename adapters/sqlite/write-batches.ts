import type { DatabaseSync } from 'node:sqlite';
import type { Expiry } from './expiry.ts';
import { storeFault } from './faults.ts';

type Pending = {
  /** Does the write and returns the function that acknowledges it. */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
};

/**
 * The writes of one turn of the event loop share a transaction, and so one wait for the disk. Each write sees the
 * writes before it, and is acknowledged after the commit. Where the commit fails, none of them happened and all reject.
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

  /**
   * Resolves with the result of the write. A write that decides not to happen must run no statement that changes rows.
   */
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

  /** Does the waiting writes at once. */
  flush(): void {
    const batch = this.#pending;
    this.#pending = [];
    if (batch.length === 0) return;
    try {
      // IMMEDIATE takes the write lock at once: a transaction that begins with a read cannot wait for other writers.
      this.#db.exec('BEGIN IMMEDIATE');
      const acknowledgements = batch.map(({ run }) => run());
      this.#db.exec('COMMIT');
      for (const acknowledge of acknowledgements) acknowledge();
    } catch (error) {
      this.#rollBack();
      for (const { reject } of batch) reject(storeFault(error, this.#file));
    }
  }

  /** Rolls back, unless SQLite did so itself, as it does after a full disk. */
  #rollBack(): void {
    if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK');
  }
}
