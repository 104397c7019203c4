import { randomBytes } from 'node:crypto';
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
  keyName,
  keyOf,
  type NewItem,
  type Page,
  type Query,
  type Table,
  type Write,
} from '../store/table.ts';
import {
  type CounterEntry,
  checkEntries,
  type Entry,
  type EntryPage,
  isCounter,
  isLiveAt,
  type TableDump,
} from '../store/table-dump.ts';
import { pageOf } from './dump-pages.ts';
import { Partition } from './partition.ts';

/** Freezes a value that came out of JSON, through and through. */
const freeze = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
};

/**
 * A table that lives and ends with its process, for tests and benchmarks: what it acknowledged is safe from nothing. A
 * read costs no more than a look-up, for items are frozen where they are kept and handed out as they are. Nothing is
 * dropped because it expired, so that tests may live in any year.
 */
export class MemoryTable implements Table, TableDump {
  readonly #partitions = new Map<string, Partition>();
  readonly #counters = new Map<string, CounterEntry>();
  readonly #tag = randomBytes(9).toString('base64url');
  #versions = 0;

  async get(key: Key): Promise<Item | undefined> {
    checkKey(key);
    return this.#find(key);
  }

  async getMany(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    checkKeys(keys);
    return keys.map((key) => this.#find(key));
  }

  async query(query: Query): Promise<Page> {
    checkQuery(query);
    return this.#partitions.get(query.pk)?.page(query) ?? { items: [] };
  }

  put(item: NewItem, condition?: Condition): Promise<boolean> {
    return this.transact([{ put: item, condition }]);
  }

  remove(key: Key, condition?: Condition): Promise<boolean> {
    return this.transact([{ remove: key, condition }]);
  }

  async increment(key: Key, by: number, options: IncrementOptions = {}): Promise<number> {
    checkIncrement(key, by, options);
    const name = keyName(key);
    const before = this.#counters.get(name);
    const counter = (before?.counter ?? 0) + by;
    const { pk, sk } = key;
    this.#counters.set(name, { pk, sk, counter, expires_at: options.expires_at ?? before?.expires_at });
    return counter;
  }

  async transact(writes: readonly Write[]): Promise<boolean> {
    checkWrites(writes);
    const items = writes.map((write) => ('put' in write ? this.#newItem(write.put) : undefined));
    if (!writes.every((write) => this.#holds(keyOf(write), write.condition))) return false;
    writes.forEach((write, i) => {
      const item = items[i];
      if (item) this.#set(item);
      else if ('remove' in write) this.#delete(write.remove);
    });
    return true;
  }

  async dump(liveAt: number, after?: string): Promise<EntryPage> {
    return pageOf(
      this.#entries().filter((entry) => isLiveAt(entry, liveAt)),
      after,
    );
  }

  async restore(entries: readonly Entry[]): Promise<void> {
    checkEntries(entries);
    const items = entries.map((entry) => (isCounter(entry) ? undefined : this.#newItem(entry)));
    entries.forEach((entry, i) => {
      const item = items[i];
      if (item) this.#set(item);
      else if (isCounter(entry)) this.#counters.set(keyName(entry), { ...entry });
    });
  }

  async countEntries(): Promise<number> {
    return this.#counters.size + this.#partitions.values().reduce((sum, { size }) => sum + size, 0);
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  *#entries(): Generator<Entry> {
    for (const partition of this.#partitions.values()) {
      for (const { version: _, ...entry } of partition.items()) yield entry;
    }
    for (const { expires_at, ...counter } of this.#counters.values()) {
      yield { ...counter, ...(expires_at !== undefined && { expires_at }) };
    }
  }

  #find({ pk, sk }: Key): Item | undefined {
    return this.#partitions.get(pk)?.get(sk);
  }

  #holds(key: Key, condition: Condition | undefined): boolean {
    if (!condition) return true;
    const item = this.#find(key);
    return 'absent' in condition ? item === undefined : item?.version === condition.version;
  }

  #newItem(item: NewItem): Item {
    const { pk, sk, expires_at } = item;
    const data = freeze(JSON.parse(dataJson(item)));
    const version = `${this.#tag}.${++this.#versions}`;
    return Object.freeze({ pk, sk, data, version, ...(expires_at !== undefined && { expires_at }) });
  }

  #set(item: Item): void {
    let partition = this.#partitions.get(item.pk);
    if (!partition) this.#partitions.set(item.pk, (partition = new Partition()));
    partition.set(item);
  }

  #delete({ pk, sk }: Key): void {
    const partition = this.#partitions.get(pk);
    partition?.delete(sk);
    if (partition?.size === 0) this.#partitions.delete(pk);
  }
}
