import { randomBytes } from 'node:crypto';
import type { Condition, IncrementOptions, Item, Key, NewItem, Page, Query, Table, Write } from '../store/table.ts';
import {
  checkIncrement,
  checkKey,
  checkKeys,
  checkQuery,
  checkWrites,
  dataJson,
  keyName,
  keyOf,
  MAX_PAGE,
  PAGE_BYTES,
} from '../store/table-checks.ts';
import {
  type CounterEntry,
  checkEntries,
  type Entry,
  type EntryPage,
  isCounter,
  isLiveAt,
  nextOf,
  PAGE_ENTRIES,
  type Position,
  positionOf,
  type TableDump,
} from '../store/table-dump.ts';

/** Ranks code units in the order of their code points: halves of surrogate pairs come last. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** Orders well-formed strings as their UTF-8 bytes; `<` would put U+1F600 before U+FFFD. */
export const compareUtf8 = (a: string, b: string): number => {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) return rank(unitA) - rank(unitB);
  }
  return a.length - b.length;
};

/**
 * Counts the keys for which `holds` is true, by binary search: they come first in the list, and all before `start` are
 * known to be among them.
 */
const countWhile = (sorted: readonly string[], holds: (key: string) => boolean, start = 0): number => {
  let low = start;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle] as string)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Texts that `<` orders like their UTF-8 bytes. `<` is several times as fast as `compareUtf8`. */
const PLAIN = /^[\0-\ud7ff]*$/;

/** An item, and the bytes of its data as JSON. */
type SizedItem = { readonly item: Item; readonly bytes: number };

/** The items of one partition key. A map finds them; the first query sorts their keys, and writes keep them sorted. */
class Partition {
  readonly #items = new Map<string, SizedItem>();
  #sorted: string[] | undefined;
  /** False once a key was added that `<` may order differently. */
  #isPlain = true;

  get size(): number {
    return this.#items.size;
  }

  items(): Iterable<Item> {
    return this.#items.values().map(({ item }) => item);
  }

  get(sk: string): Item | undefined {
    return this.#items.get(sk)?.item;
  }

  set(sized: SizedItem): void {
    const { item } = sized;
    if (!this.#items.has(item.sk)) {
      this.#isPlain &&= PLAIN.test(item.sk);
      this.#sorted?.splice(this.#countBefore(this.#sorted, item.sk), 0, item.sk);
    }
    this.#items.set(item.sk, sized);
  }

  delete(sk: string): void {
    if (this.#items.delete(sk) && this.#sorted) this.#sorted.splice(this.#countBefore(this.#sorted, sk), 1);
  }

  page({ prefix = '', from = '', to, after, descending = false, limit = MAX_PAGE }: Query): Page {
    const sorted = (this.#sorted ??= [...this.#items.keys()].sort(compareUtf8));
    const first = this.#countBefore(sorted, prefix);
    let start = from === '' ? first : Math.max(first, this.#countBefore(sorted, from));
    let end = countWhile(sorted, (key) => key.startsWith(prefix), first);
    if (to !== undefined) end = Math.min(end, this.#countUpTo(sorted, to));
    if (after !== undefined && descending) end = Math.min(end, this.#countBefore(sorted, after));
    if (after !== undefined && !descending) start = Math.max(start, this.#countUpTo(sorted, after));

    const count = Math.min(limit, Math.max(0, end - start));
    const page = descending ? sorted.slice(end - count, end).reverse() : sorted.slice(start, start + count);
    const items: Item[] = [];
    let filled = 0;
    for (const sk of page) {
      const { item, bytes } = this.#items.get(sk) as SizedItem;
      items.push(item);
      filled += bytes;
      if (filled >= PAGE_BYTES) break;
    }
    return end - start > items.length ? { items, next: items.at(-1)?.sk } : { items };
  }

  #countBefore(sorted: readonly string[], key: string): number {
    return this.#isPlain && PLAIN.test(key)
      ? countWhile(sorted, (k) => k < key)
      : countWhile(sorted, (k) => compareUtf8(k, key) < 0);
  }

  #countUpTo(sorted: readonly string[], key: string): number {
    return this.#isPlain && PLAIN.test(key)
      ? countWhile(sorted, (k) => k <= key)
      : countWhile(sorted, (k) => compareUtf8(k, key) <= 0);
  }
}

const placeOf = (entry: Entry): Position => [isCounter(entry) ? 'counter' : 'item', entry.pk, entry.sk];

/** Orders items before counters, and each kind by its keys. */
const compare = ([kindA, pkA, skA]: Position, [kindB, pkB, skB]: Position): number => {
  if (kindA !== kindB) return kindA === 'item' ? -1 : 1;
  return compareUtf8(pkA, pkB) || compareUtf8(skA, skB);
};

/**
 * The page of these entries after a position. It sorts all entries for each page, because tables in memory are small.
 */
const pageOf = (entries: Iterable<Entry>, after: string | undefined): EntryPage => {
  const start = positionOf(after);
  const rest = [...entries].filter((entry) => compare(placeOf(entry), start) > 0);
  rest.sort((a, b) => compare(placeOf(a), placeOf(b)));
  const page: Entry[] = [];
  let bytes = 0;
  for (const entry of rest) {
    page.push(entry);
    bytes += Buffer.byteLength(JSON.stringify(entry));
    if (page.length === PAGE_ENTRIES || bytes >= PAGE_BYTES) break;
  }
  const last = page.at(-1);
  return last && rest.length > page.length ? { entries: page, next: nextOf(placeOf(last)) } : { entries: page };
};

/** Every item and counter as an entry of a dump, in any order. */
function* entriesOf(partitions: Iterable<Partition>, counters: Iterable<CounterEntry>): Generator<Entry> {
  for (const partition of partitions) {
    for (const { version: _, ...entry } of partition.items()) yield entry;
  }
  for (const { expires_at, ...counter } of counters) {
    yield { ...counter, ...(expires_at !== undefined && { expires_at }) };
  }
}

const freeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
};

/**
 * A table for tests and benchmarks. Its data ends with the process. A read costs one lookup, because the table freezes
 * its items and returns them without a copy. It never drops expired items, so that a test may use dates of any year.
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
    const entries = entriesOf(this.#partitions.values(), this.#counters.values());
    const live = entries.filter((entry) => isLiveAt(entry, liveAt));
    return pageOf(live, after);
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

  #find({ pk, sk }: Key): Item | undefined {
    return this.#partitions.get(pk)?.get(sk);
  }

  #holds(key: Key, condition: Condition | undefined): boolean {
    if (!condition) return true;
    const item = this.#find(key);
    return 'absent' in condition ? item === undefined : item?.version === condition.version;
  }

  #newItem(item: NewItem): SizedItem {
    const { pk, sk, expires_at } = item;
    const json = dataJson(item);
    const version = `${this.#tag}.${++this.#versions}`;
    const expiry = expires_at === undefined ? {} : { expires_at };
    return {
      item: Object.freeze({ pk, sk, data: freeze(JSON.parse(json)), version, ...expiry }),
      bytes: Buffer.byteLength(json),
    };
  }

  #set(sized: SizedItem): void {
    const { pk } = sized.item;
    let partition = this.#partitions.get(pk);
    if (!partition) this.#partitions.set(pk, (partition = new Partition()));
    partition.set(sized);
  }

  #delete({ pk, sk }: Key): void {
    const partition = this.#partitions.get(pk);
    partition?.delete(sk);
    if (partition?.size === 0) this.#partitions.delete(pk);
  }
}
