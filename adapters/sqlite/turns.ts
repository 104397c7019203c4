import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { isBusy, storeFault } from './faults.ts';

/**
 * The time at which a commit returns. FULL: once it is on the disk. NORMAL: at once, so a power failure undoes the last
 * commits; SQLite still syncs the write-ahead log before copying it into the file, and then syncs the file and the
 * log's new header. OFF is excluded, because it skips those syncs too: after a power failure, half-copied pages without
 * an intact log could destroy the whole file, including commits made with FULL.
 */
type Synchronous = 'FULL' | 'NORMAL';

type Call = {
  readonly work: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
};

type Write = Call & {
  readonly isVolatile: boolean;
  /** True for a write that runs in its own transaction, because a shared one failed. */
  readonly isAlone: boolean;
  /** The time at which the write stops waiting for a lock. It is set once the write finds the file locked. */
  deadline?: number;
};

/** The pause between attempts to lock a file that another process has locked, in milliseconds. */
const RETRY_MS = 1;

/**
 * The writes of one turn of the event loop share a transaction, and so one wait for the disk. Each write sees the
 * writes before it, and is acknowledged after the commit. If the commit fails, none of them happened and all reject. If
 * one write fails, the transaction is rolled back and each write is repeated in its own, so only the faulty one
 * rejects. While another process has locked the file, writes wait for a timer, each up to its limit, and the event loop
 * and reads continue.
 *
 * The reads of the turn share the next transaction, and so one check of the locks. They run after the writes, so that a
 * decision based on a read is not immediately out of date.
 */
export class Turns {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #busyTimeoutMs: number;
  readonly #afterWrite: () => void;
  #reads: Call[] = [];
  #writes: Write[] = [];
  /** The connection's current setting; undefined until it is first set. */
  #synchronous: Synchronous | undefined;
  #isScheduled = false;
  /** True while the writes wait for the timer because another process has locked the file. */
  #isLocked = false;

  /**
   * Reads wait for locks inside SQLite, by the connection's setting; writes wait for `busyTimeoutMs` outside of it.
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
   * Resolves with the result of the write. The work may run twice, the first time in a transaction that is rolled back.
   * A write that decides not to happen must run no statement that changes rows. A power failure may undo a volatile
   * write.
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

  /** Begins the transaction of the writes; throws immediately if another process has locked the file. */
  #begin(calls: readonly Write[]): void {
    const synchronous = calls.every(({ isVolatile }) => isVolatile) ? 'NORMAL' : 'FULL';
    // SQLite applies this PRAGMA when it compiles it, so a prepared statement would have no effect here.
    this.#db.exec('PRAGMA busy_timeout = 0');
    try {
      if (this.#synchronous !== synchronous) this.#db.exec(`PRAGMA synchronous = ${synchronous}`);
      this.#synchronous = synchronous;
      // IMMEDIATE takes the write lock first: a transaction that begins with a read cannot wait for other writers.
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

  /** Rolls back the shared transaction, and repeats each write in its own. */
  #separate(calls: readonly Write[]): void {
    this.#rollBack();
    this.#writes = [...calls.map((call) => ({ ...call, isAlone: true })), ...this.#writes];
  }

  /** Rejects the writes that have waited up to their limits, and sets a timer for the others. */
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

  /** Rolls back, unless SQLite already did, as it does when the disk is full. */
  #rollBack(): void {
    try {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The next BEGIN fails inside the open transaction, which rejects its calls and rolls back again.
    }
  }
}
