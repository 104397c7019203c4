import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Condition, IncrementOptions, Item, Key, NewItem, Page, Query, Table, Write } from '../store/table.ts';
import {
  checkIncrement,
  checkKey,
  checkKeys,
  checkQuery,
  checkWrites,
  dataJson,
  keyOf,
} from '../store/table-checks.ts';
import { checkEntries, type Entry, type EntryPage, isCounter, type TableDump } from '../store/table-dump.ts';
import { keepCutLog } from './cut-log.ts';
import { DumpRows } from './dump-rows.ts';
import { isBusy, orStoreFault } from './faults.ts';
import { ItemRows, pageQueryOf } from './item-rows.ts';
import { checkStoreFile, ensureSchema } from './schema.ts';
import { Turns } from './turns.ts';

const RETRY_MS = 5;

/** Creates a missing file, readable only by its owner; SQLite gives its companion files the same mode. */
const ensureFile = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
};

/** Retries while others lock the file, because SQLite does not wait for a change of the journal mode. */
const whenFree = <T>(waitMs: number, work: () => T): T => {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (const deadline = performance.now() + waitMs; ; ) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
      Atomics.wait(sleeper, 0, 0, RETRY_MS);
    }
  }
};

/**
 * Opens the store's file in write-ahead mode and creates a missing file. Throws the errors of SQLite and the file
 * system.
 */
const openConnection = (file: string, busyTimeoutMs: number): DatabaseSync => {
  ensureFile(file);
  const isCut = keepCutLog(file);
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    whenFree(busyTimeoutMs, () => db.exec('PRAGMA journal_mode = WAL'));
    if (isCut) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    ensureSchema(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** Opens a read-only store file and changes neither file nor folder. Throws as `openConnection` does. */
const openFinished = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    checkStoreFile(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** The first of every 64 writes deletes up to 128 expired rows of each table. */
const WRITES_PER_STEP = 64;
const ROWS_PER_STEP = 2 * WRITES_PER_STEP;

const deletion = (table: 'items' | 'counters'): string =>
  `DELETE FROM ${table} WHERE (pk, sk) IN
   (SELECT pk, sk FROM ${table} WHERE expires_at < ? ORDER BY expires_at LIMIT ${ROWS_PER_STEP})`;

/**
 * Deletes expired rows in small steps after the writes of a connection, so that no write waits for long. It may delete
 * two rows for each write, and a write adds one, so the file does not grow indefinitely.
 */
class Expiry {
  readonly #now: () => number;
  readonly #deletions: readonly StatementSync[];
  #writes = 0;

  /** `now` returns milliseconds since 1970, as `Date.now` does. */
  constructor(db: DatabaseSync, now: () => number) {
    this.#now = now;
    this.#deletions = [db.prepare(deletion('items')), db.prepare(deletion('counters'))];
  }

  /** Counts a write, and deletes rows if that is due. The caller calls it once in the transaction of each write. */
  afterWrite(): void {
    if (this.#writes++ % WRITES_PER_STEP > 0) return;
    const seconds = Math.floor(this.#now() / 1000);
    for (const statement of this.#deletions) statement.run(seconds);
  }
}

type Row = readonly [value: number, expires_at: number | null];

/** Prepared statements on counters. Each runs within the caller's transaction. */
class CounterRows {
  readonly #get: StatementSync;
  readonly #add: StatementSync;
  readonly #put: StatementSync;

  constructor(db: DatabaseSync) {
    this.#get = db.prepare('SELECT value, expires_at FROM counters WHERE pk = ? AND sk = ?');
    this.#get.setReturnArrays(true);
    this.#add = db.prepare('UPDATE counters SET value = value + ? WHERE pk = ? AND sk = ?');
    this.#put = db.prepare('INSERT OR REPLACE INTO counters (pk, sk, value, expires_at) VALUES (?, ?, ?, ?)');
  }

  /** Adds to a counter and returns the sum. `expiresAt`, in Unix seconds, replaces an earlier expiry. */
  add({ pk, sk }: Key, by: number, expiresAt: number | undefined): number {
    const [value, expiry] = (this.#get.get(pk, sk) as Row | undefined) ?? [0, undefined];
    // Most increments keep the expiry, so the index on it needs no write.
    if (expiry !== undefined && (expiresAt === undefined || expiresAt === expiry)) this.#add.run(by, pk, sk);
    else this.#put.run(pk, sk, value + by, expiresAt ?? null);
    return value + by;
  }
}

export type SqliteOptions = {
  /** The time that a call waits for the writes of other processes, in milliseconds; 5000 by default. */
  readonly busyTimeoutMs?: number;
  /** Returns milliseconds since 1970, to find expired rows; `Date.now` by default. */
  readonly now?: () => number;
  /** True for a read-only file, such as a snapshot. Writes fail. */
  readonly isFinished?: boolean;
};

/** Calls run at the end of the turn, so they copy their input in case the caller changes it. */
const copyOf = ({ pk, sk }: Key): Key => ({ pk, sk });

/**
 * A table in one file, for any number of processes on one machine. An acknowledged write is on the disk, except a
 * volatile increment. A fault of the file throws StoreUnavailable, whose one-line message names the fault.
 */
export class SqliteTable implements Table, TableDump {
  readonly #db: DatabaseSync;
  readonly #turns: Turns;
  readonly #counters: CounterRows;
  readonly #items: ItemRows;
  readonly #dump: DumpRows;
  readonly #tag = randomBytes(9).toString('base64url');
  #versions = 0;

  constructor(file: string, options: SqliteOptions) {
    const { busyTimeoutMs = 5000, now = Date.now, isFinished = false } = options;
    this.#db = isFinished ? openFinished(file) : openConnection(file, busyTimeoutMs);
    const expiry = new Expiry(this.#db, now);
    this.#turns = new Turns(this.#db, file, busyTimeoutMs, () => expiry.afterWrite());
    this.#counters = new CounterRows(this.#db);
    this.#items = new ItemRows(this.#db);
    this.#dump = new DumpRows(this.#db);
  }

  async get(key: Key): Promise<Item | undefined> {
    checkKey(key);
    const copy = copyOf(key);
    return this.#turns.read(() => this.#items.get(copy));
  }

  async getMany(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    checkKeys(keys);
    const copies = keys.map(copyOf);
    return this.#turns.read(() => copies.map((key) => this.#items.get(key)));
  }

  async query(query: Query): Promise<Page> {
    checkQuery(query);
    const copy = pageQueryOf(query);
    return this.#turns.read(() => this.#items.page(copy));
  }

  put(item: NewItem, condition?: Condition): Promise<boolean> {
    return this.transact([{ put: item, condition }]);
  }

  remove(key: Key, condition?: Condition): Promise<boolean> {
    return this.transact([{ remove: key, condition }]);
  }

  async increment(key: Key, by: number, options: IncrementOptions = {}): Promise<number> {
    checkIncrement(key, by, options);
    const copy = copyOf(key);
    const { expires_at } = options;
    return this.#turns.write(() => this.#counters.add(copy, by, expires_at), options.volatile);
  }

  async transact(writes: readonly Write[]): Promise<boolean> {
    checkWrites(writes);
    const steps = writes.map((write) => this.#step(write));
    return this.#turns.write(() => {
      if (!steps.every(({ holds }) => holds())) return false;
      for (const { apply } of steps) apply();
      return true;
    });
  }

  async dump(liveAt: number, after?: string): Promise<EntryPage> {
    return this.#turns.read(() => this.#dump.page(liveAt, after));
  }

  /** Writes all entries, or none if it fails. */
  async restore(entries: readonly Entry[]): Promise<void> {
    checkEntries(entries);
    const steps = entries.map((entry) =>
      isCounter(entry) ? () => this.#dump.setCounter(entry) : this.#step({ put: entry }).apply,
    );
    await this.#turns.write(() => {
      for (const apply of steps) apply();
    });
  }

  async countEntries(): Promise<number> {
    return this.#turns.read(() => this.#dump.count());
  }

  async ping(): Promise<void> {
    await this.#turns.read(() => this.#items.get({ pk: 'ping', sk: 'ping' }));
  }

  /** Runs the waiting writes, then closes the file. */
  async close(): Promise<void> {
    await this.#turns.finish();
    if (this.#db.isOpen) this.#db.close();
  }

  /** The condition and the statement of a write. */
  #step(write: Write): { holds: () => boolean; apply: () => void } {
    const key = copyOf(keyOf(write));
    const condition = write.condition && { ...write.condition };
    const holds = () => this.#items.holds(key, condition);
    if ('check' in write) return { holds, apply: () => {} };
    if ('remove' in write) return { holds, apply: () => this.#items.remove(key) };
    const data = dataJson(write.put);
    const { expires_at } = write.put;
    const version = `${this.#tag}.${++this.#versions}`;
    return { holds, apply: () => this.#items.put(key, version, expires_at, data) };
  }
}

/**
 * Opens the store in a file, and creates a missing file and folder. Throws Error if the file belongs to another program
 * or to a newer version of this one, and StoreUnavailable if the file can't be used.
 */
export const openSqliteTable = (file: string, options: SqliteOptions = {}): SqliteTable => {
  const path = resolve(file);
  return orStoreFault(path, () => new SqliteTable(path, options));
};
