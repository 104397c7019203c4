import type { DatabaseSync } from 'node:sqlite';
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

type Write = Call & {
  readonly isVolatile: boolean;
  /** True for a write that needs its own transaction, because the work of one that it shared has failed. */
  readonly isAlone: boolean;
  /** The moment until which the write waits for a lock. It has none before it finds the file locked. */
  deadline?: number;
};

/** Milliseconds until the writes try again to lock a file that another process has locked. */
const RETRY_MS = 1;

/**
 * The writes of one turn of the event loop share a transaction, and so one wait for the disk. Each write sees the
 * writes before it, and is acknowledged after the commit. If the commit fails, none of them happened and all reject. If
 * one write fails, the transaction is rolled back and each is repeated in its own, so only the faulty one rejects.
 * While another process has locked the file, writes wait for a timer, each up to its limit, and the event loop and
 * reads continue.
 *
 * The reads of the turn share the next transaction, and so one look at the locks. They come second, so that a decision
 * on a read is not out of date before it is made.
 */
export class Turns {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #busyTimeoutMs: number;
  readonly #afterWrite: () => void;
  #reads: Call[] = [];
  #writes: Write[] = [];
  /** The setting of the connection, unknown until it is made. */
  #synchronous: Synchronous | undefined;
  #isScheduled = false;
  /** True while the writes wait for the timer, because another process has locked the file. */
  #isLocked = false;

  /**
   * Reads wait for locks inside SQLite, as the connection is set; writes wait for `busyTimeoutMs` outside of it.
   * `afterWrite` is called once in the transaction of each write.
   */
  constructor(db: DatabaseSync, file: string, busyTimeoutMs: number, afterWrite: () => void) {
    this.#db = db;
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#afterWrite = afterWrite;
  }

  /** Resolves with the result of the read, which sees every write that was acknowledged before this call. */
  read<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#reads.push({ work, resolve, reject });
      this.#schedule();
    });
  }

  /**
   * Resolves with the result of the write. The work may run twice, the first time in a transaction that is undone. A
   * write that decides not to happen must run no statement that changes rows. A power failure may undo a volatile write.
   */
  write<T>(work: () => T, isVolatile = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#writes.push({ work, resolve, reject, isVolatile, isAlone: false });
      if (!this.#isLocked) this.#schedule();
    });
  }

  /** Runs the waiting calls, and resolves when none is left. */
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
    if (!this.#isLocked) this.#write();
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

  readonly #write = (): void => {
    this.#isLocked = false;
    while (this.#writes.length > 0) {
      const calls = this.#writes[0]?.isAlone ? this.#writes.slice(0, 1) : this.#writes;
      try {
        this.#begin(calls);
      } catch (error) {
        if (isBusy(error)) {
          this.#wait(error);
          return;
        }
        this.#writes = this.#writes.slice(calls.length);
        this.#fail(calls, error);
        continue;
      }
      this.#writes = this.#writes.slice(calls.length);
      this.#commit(calls);
    }
  };

  /** Begins the transaction of the writes; throws at once where another process has locked the file. */
  #begin(calls: readonly Write[]): void {
    const synchronous = calls.every(({ isVolatile }) => isVolatile) ? 'NORMAL' : 'FULL';
    // SQLite sets this timeout when it compiles the statement, so that a prepared statement would not do it in time.
    this.#db.exec('PRAGMA busy_timeout = 0');
    try {
      if (this.#synchronous !== synchronous) this.#db.exec(`PRAGMA synchronous = ${synchronous}`);
      this.#synchronous = synchronous;
      // IMMEDIATE takes the write lock at once: a transaction that begins with a read cannot wait for other writers.
      this.#db.exec('BEGIN IMMEDIATE');
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${this.#busyTimeoutMs}`);
    }
  }

  #commit(calls: readonly Write[]): void {
    let isWorkDone = false;
    try {
      const results = calls.map(({ work }) => {
        const result = work();
        this.#afterWrite();
        return result;
      });
      isWorkDone = true;
      this.#db.exec('COMMIT');
      calls.forEach(({ resolve }, i) => {
        resolve(results[i] as never);
      });
    } catch (error) {
      if (isWorkDone || calls.length === 1) this.#fail(calls, error);
      else this.#separate(calls);
    }
  }

  /** Rolls the writes' transaction back, and repeats each in its own. */
  #separate(calls: readonly Write[]): void {
    this.#rollBack();
    this.#writes = [...calls.map((call) => ({ ...call, isAlone: true })), ...this.#writes];
  }

  /** Rejects the writes that have waited for as long as they may, and sets a timer for the others. */
  #wait(error: unknown): void {
    const now = performance.now();
    for (const call of this.#writes) call.deadline ??= now + this.#busyTimeoutMs;
    const expired = this.#writes.filter(({ deadline = now }) => deadline <= now);
    this.#writes = this.#writes.slice(expired.length);
    this.#fail(expired, error);
    if (this.#writes.length === 0) return;
    this.#isLocked = true;
    setTimeout(this.#write, RETRY_MS);
  }

  #fail(calls: readonly Call[], error: unknown): void {
    for (const { reject } of calls) reject(storeFault(error, this.#file));
    this.#rollBack();
  }

  /** Rolls back, unless SQLite did so itself, as it does after a full disk. */
  #rollBack(): void {
    try {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The next BEGIN fails inside this transaction, which rejects its calls and rolls back again.
    }
  }
}
