import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import {
  type Condition,
  checkIncrement,
  checkKey,
  checkKeys,
  checkQuery,
  checkWrites,
  dataJson,
  type IncrementOptions,
  type Item,
  type Key,
  keyOf,
  type NewItem,
  type Page,
  type Query,
  type Table,
  type Write,
} from '../store/table.ts';
import { checkEntries, type Entry, type EntryPage, isCounter, type TableDump } from '../store/table-dump.ts';
import { openConnection, type Synchronous } from './connection.ts';
import { CounterRows } from './counter-rows.ts';
import { DumpRows } from './dump-rows.ts';
import { Expiry } from './expiry.ts';
import { orStoreFault } from './faults.ts';
import { ItemRows } from './item-rows.ts';
import { WriteBatches } from './write-batches.ts';

export type SqliteOptions = {
  /** Milliseconds that a call waits, and its process with it, for other processes' writes to end. */
  readonly busyTimeoutMs?: number;
  /** Milliseconds since 1970; decides what has expired. */
  readonly now?: () => number;
};

const connect = (file: string, synchronous: Synchronous, { busyTimeoutMs = 5000, now = Date.now }: SqliteOptions) => {
  const db = openConnection(file, synchronous, busyTimeoutMs);
  return { db, writes: new WriteBatches(db, file, new Expiry(db, now)), counters: new CounterRows(db) };
};

/**
 * A table in one file, for any number of processes of one machine. What it acknowledged is on the disk, volatile
 * increments apart. Every fault of the file's surroundings is StoreUnavailable with one line that says which.
 */
export class SqliteTable implements Table, TableDump {
  readonly #file: string;
  readonly #durable;
  readonly #volatile;
  readonly #items: ItemRows;
  readonly #dump: DumpRows;
  readonly #tag = randomBytes(9).toString('base64url');
  #versions = 0;

  constructor(file: string, options: SqliteOptions) {
    this.#file = file;
    this.#durable = connect(file, 'FULL', options);
    this.#volatile = connect(file, 'NORMAL', options);
    this.#items = new ItemRows(this.#durable.db);
    this.#dump = new DumpRows(this.#durable.db);
  }

  async get(key: Key): Promise<Item | undefined> {
    checkKey(key);
    return orStoreFault(this.#file, () => this.#items.get(key));
  }

  async getMany(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    checkKeys(keys);
    return orStoreFault(this.#file, () => this.#items.getMany(keys));
  }

  async query(query: Query): Promise<Page> {
    checkQuery(query);
    return orStoreFault(this.#file, () => this.#items.page(query));
  }

  put(item: NewItem, condition?: Condition): Promise<boolean> {
    return this.transact([{ put: item, condition }]);
  }

  remove(key: Key, condition?: Condition): Promise<boolean> {
    return this.transact([{ remove: key, condition }]);
  }

  async increment(key: Key, by: number, options: IncrementOptions = {}): Promise<number> {
    checkIncrement(key, by, options);
    const { writes, counters } = options.volatile ? this.#volatile : this.#durable;
    return writes.add(() => counters.add(key, by, options.expires_at));
  }

  async transact(writes: readonly Write[]): Promise<boolean> {
    checkWrites(writes);
    const steps = writes.map((write) => this.#step(write));
    return this.#durable.writes.add(() => {
      if (!steps.every(({ holds }) => holds())) return false;
      for (const { apply } of steps) apply();
      return true;
    });
  }

  async dump(liveAt: number, after?: string): Promise<EntryPage> {
    return orStoreFault(this.#file, () => this.#dump.page(liveAt, after));
  }

  /** All of the entries or, where it fails, none. */
  async restore(entries: readonly Entry[]): Promise<void> {
    checkEntries(entries);
    const steps = entries.map((entry) =>
      isCounter(entry) ? () => this.#dump.setCounter(entry) : this.#step({ put: entry }).apply,
    );
    await this.#durable.writes.add(() => {
      for (const apply of steps) apply();
    });
  }

  async countEntries(): Promise<number> {
    return orStoreFault(this.#file, () => this.#dump.count());
  }

  async ping(): Promise<void> {
    orStoreFault(this.#file, () => this.#items.get({ pk: 'ping', sk: 'ping' }));
  }

  /** Does the writes that are still waiting first. */
  async close(): Promise<void> {
    for (const { db, writes } of [this.#volatile, this.#durable]) {
      writes.flush();
      if (db.isOpen) db.close();
    }
  }

  /** What a write is going to check and do, taken from its input as that is now. */
  #step(write: Write): { holds: () => boolean; apply: () => void } {
    const { pk, sk } = keyOf(write);
    const key = { pk, sk };
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
 * Opens the store in a file, made with its folder if there is none. Throws Error where the file belongs to another
 * program or to a newer version of this one, and StoreUnavailable where it can't be used.
 */
export const openSqliteTable = (file: string, options: SqliteOptions = {}): SqliteTable => {
  const path = resolve(file);
  return orStoreFault(path, () => new SqliteTable(path, options));
};
