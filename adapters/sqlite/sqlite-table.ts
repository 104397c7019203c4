import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type {
  Condition,
  IncrementOptions,
  Item,
  Items,
  Key,
  KeyOf,
  NewItem,
  Page,
  Query,
  Table,
  Write,
} from '../store/table.ts';
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
import { type Connected, connect, type SqliteOptions } from './connect.ts';
import { DumpRows } from './dump-rows.ts';
import { orStoreFault } from './faults.ts';
import { ItemRows } from './item-rows.ts';

/**
 * A table in one file, for any number of processes of one machine. An acknowledged write is on the disk, except a
 * volatile increment. A fault around the file throws StoreUnavailable, whose one line names the fault.
 */
export class SqliteTable implements Table, TableDump {
  readonly #file: string;
  readonly #durable: Connected;
  readonly #volatile: Connected;
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

  async get<T extends object>(key: KeyOf<T>): Promise<Item<T> | undefined> {
    checkKey(key);
    return orStoreFault(this.#file, () => this.#items.get(key));
  }

  async getMany<const K extends readonly Key[]>(keys: K): Promise<Items<K>> {
    checkKeys(keys);
    return orStoreFault(this.#file, () => this.#items.getMany(keys));
  }

  async query<T extends object>(query: Query<T>): Promise<Page<T>> {
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

  /** Writes all entries, or none where it fails. */
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

  /** Does the waiting writes, then closes the file. */
  async close(): Promise<void> {
    for (const { db, writes } of [this.#volatile, this.#durable]) {
      writes.flush();
      if (db.isOpen) db.close();
    }
  }

  /**
   * The check and the statement of a write, from a copy of its input, so that later changes of the input do not count.
   */
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
 * Opens the store in a file, and makes a missing file and folder. Throws Error where the file belongs to another
 * program or to a newer version of this one, and StoreUnavailable where the file can't be used.
 */
export const openSqliteTable = (file: string, options: SqliteOptions = {}): SqliteTable => {
  const path = resolve(file);
  return orStoreFault(path, () => new SqliteTable(path, options));
};
