import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { isBusy, storeFault } from './faults.ts';

/**
 * The moment at which a commit returns. FULL: once it is on the disk. NORMAL: at once, so that a power failure undoes
 * the last commits; SQLite still syncs the write-ahead log before it copies the log into the file, and syncs the file
 * and the log's new header. There is no OFF, which skips those syncs too: a power failure could then leave half-copied
 * pages with no log to mend them, and so destroy the whole file, including commits made with FULL.
 */
type Synchronous = 'FULL' | 'NORMAL';

type Call = {
  readonly work: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
};

/** Milliseconds until the writes try again to lock a file that another process has locked. */
const RETRY_MS = 1;

/**
 * The writes of one turn of the event loop share a transaction, and so one wait for the disk. Each write sees the
 * writes before it, and is acknowledged after the commit. Where the commit fails, none of them happened and all reject.
 * While another process has locked the file, the writes wait for a timer, and the event loop and the reads go on.
 *
 * The reads of the turn share the next transaction, and so one look at the locks. They come second, so that a decision
 * on a read is not out of date before it is made.
 */
export class Turns {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #busyTimeoutMs: number;
  readonly #afterWrite: () => void;
  readonly #withoutWait: StatementSync;
  readonly #withWait: StatementSync;
  #reads: Call[] = [];
  #writes: Call[] = [];
  /** The setting that the waiting writes need. */
  #needed: Synchronous = 'NORMAL';
  /** The setting of the connection; SQLite begins with FULL. */
  #synchronous: Synchronous = 'FULL';
  #isScheduled = false;
  /** The moment at which the waiting writes first found the file locked. */
  #lockedSince: number | undefined;

  /** `afterWrite` is called once in the transaction of each write. */
  constructor(db: DatabaseSync, file: string, busyTimeoutMs: number, afterWrite: () => void) {
    this.#db = db;
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#afterWrite = afterWrite;
    this.#withoutWait = db.prepare('PRAGMA busy_timeout = 0');
    this.#withWait = db.prepare(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }

  /** Resolves with the result of the read, which sees every write that was acknowledged before this call. */
  read<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#reads.push({ work, resolve, reject });
      this.#schedule();
    });
  }

  /**
   * Resolves with the result of the write. A write that decides not to happen must run no statement that changes rows.
   * A power failure may undo a volatile write.
   */
  write<T>(work: () => T, isVolatile = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#writes.push({ work, resolve, reject });
      if (!isVolatile) this.#needed = 'FULL';
      if (this.#lockedSince === undefined) this.#schedule();
    });
  }

  /** Does the waiting calls, and resolves when none waits. */
  async finish(): Promise<void> {
    this.#turn();
    while (this.#writes.length > 0) await delay(RETRY_MS);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    this.#isScheduled = false;
    if (this.#lockedSince === undefined) this.#write();
    this.#read();
  };

  #read(): void {
    const calls = this.#reads;
    if (calls.length === 0) return;
    this.#reads = [];
    try {
      this.#db.exec('BEGIN');
      for (const call of calls) this.#answer(call);
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#fail(calls, error);
    }
  }

  #answer({ work, resolve, reject }: Call): void {
    try {
      resolve(work() as never);
    } catch (error) {
      reject(storeFault(error, this.#file));
    }
  }

  #write(): void {
    if (this.#writes.length === 0 || !this.#begins()) return;
    const calls = this.#writes;
    this.#forget();
    try {
      const results = calls.map(({ work }) => {
        const result = work();
        this.#afterWrite();
        return result;
      });
      this.#db.exec('COMMIT');
      calls.forEach(({ resolve }, i) => {
        resolve(results[i] as never);
      });
    } catch (error) {
      this.#fail(calls, error);
    }
  }

  /** True where the transaction of the waiting writes has begun. Otherwise they go on waiting, or were rejected. */
  #begins(): boolean {
    try {
      if (this.#synchronous !== this.#needed) this.#db.exec(`PRAGMA synchronous = ${this.#needed}`);
      this.#synchronous = this.#needed;
      this.#lock();
      return true;
    } catch (error) {
      if (isBusy(error) && this.#waits()) return false;
      const calls = this.#writes;
      this.#forget();
      this.#fail(calls, error);
      return false;
    }
  }

  /** Begins a transaction that may write; throws at once where another process has locked the file. */
  #lock(): void {
    this.#withoutWait.run();
    try {
      // IMMEDIATE takes the write lock at once: a transaction that begins with a read cannot wait for other writers.
      this.#db.exec('BEGIN IMMEDIATE');
    } finally {
      this.#withWait.run();
    }
  }

  /** Sets a timer for the writes, unless the file has been locked for as long as they may wait. */
  #waits(): boolean {
    const now = performance.now();
    this.#lockedSince ??= now;
    if (now - this.#lockedSince >= this.#busyTimeoutMs) return false;
    setTimeout(() => this.#write(), RETRY_MS);
    return true;
  }

  #forget(): void {
    this.#writes = [];
    this.#needed = 'NORMAL';
    this.#lockedSince = undefined;
  }

  /** Rejects the calls. Rolls back, unless SQLite did so itself, as it does after a full disk. */
  #fail(calls: readonly Call[], error: unknown): void {
    if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK');
    for (const { reject } of calls) reject(storeFault(error, this.#file));
  }
}
