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
export class MemoryTable implements Table {
  readonly #partitions = new Map<string, Partition>();
  readonly #counters = new Map<string, number>();
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
    const sum = (this.#counters.get(name) ?? 0) + by;
    this.#counters.set(name, sum);
    return sum;
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

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

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
