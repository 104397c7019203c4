import { randomUUID } from 'node:crypto';
import * as checks from 'account-service/table';
import {
  type Condition,
  type IncrementOptions,
  type Item,
  type Key,
  type NewItem,
  type Page,
  type Query,
  StoreUnavailable,
  type Table,
  type Write,
} from 'account-service/table';
import { type Database, open, type RootDatabase } from 'lmdb';

/** An item, whose data are JSON, or a counter. */
type Row = { version?: string; json?: string; counter?: number; expires_at?: number | undefined };
type Kind = 'item' | 'counter';
const KINDS: readonly Kind[] = ['item', 'counter'];

/** A byte above all of UTF-8, and one below. */
const [TOP, LOWEST] = [Buffer.of(0xff), Buffer.of(0)];

/** The first of so many writes deletes up to twice as many expired rows. */
const WRITES_PER_EXPIRY = 64;

/** The beginning of all keys of a partition: LMDB sorts keys by their bytes, and this has no end that another continues. */
const partitionOf = (kind: Kind, pk: string): Buffer => {
  const bytes = Buffer.from(pk);
  return Buffer.concat([Buffer.of(KINDS.indexOf(kind), bytes.length >> 8, bytes.length & 0xff), bytes]);
};
const bytesOf = (kind: Kind, { pk, sk }: Key): Buffer => Buffer.concat([partitionOf(kind, pk), Buffer.from(sk)]);

const positionOf = (bytes: Buffer): checks.Position => {
  const end = 3 + bytes.readUInt16BE(1);
  return [KINDS[bytes[0] ?? 0] ?? 'item', bytes.toString('utf8', 3, end), bytes.toString('utf8', end)];
};

/** The least key above this one, and a bound without the bytes that no key of the table has. */
const above = (bytes: Buffer): Buffer => Buffer.concat([bytes, LOWEST]);
const cut = (bound: Buffer): Buffer => bound.subarray(0, checks.MAX_KEY_BYTES + 1);

const expiryOf = ({ expires_at }: Row) => (expires_at === undefined ? {} : { expires_at });
const sizeOf = ({ json, counter }: Row): number => Buffer.byteLength(json ?? String(counter));
const rowOf = (item: NewItem): Row => ({ json: checks.dataJson(item), version: randomUUID(), ...expiryOf(item) });
const itemOf = ({ pk, sk }: Key, row: Row): Item => {
  return { pk, sk, data: JSON.parse(row.json ?? ''), version: row.version ?? '', ...expiryOf(row) };
};

const holds = (condition: Condition | undefined, row: Row | undefined): boolean =>
  !condition || ('absent' in condition ? !row : row?.version === condition.version);

/** The key of the list of expiries: the seconds, which sort as bytes, and the key of the row. */
const expiryKey = (seconds: number, key: Buffer): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(seconds);
  return Buffer.concat([bytes, key]);
};

/** A table in a folder of LMDB, for any number of processes of one machine. A failed write throws StoreUnavailable. */
export class LmdbTable implements Table, checks.TableDump {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #root: RootDatabase;
  readonly #rows: Database<Row, Buffer>;
  readonly #expiries: Database<Buffer, Buffer>;
  #writes = 0;

  /** `now` gives milliseconds since 1970, to find expired rows. */
  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
    // Pages of 8 KiB take the longest keys of a table. A write is acknowledged once it is on the disk.
    this.#root = open({ path: folder, noSubdir: false, pageSize: 8192, maxDbs: 2, overlappingSync: false });
    this.#rows = this.#root.openDB({ name: 'rows', keyEncoding: 'binary', encoding: 'json' });
    this.#expiries = this.#root.openDB({ name: 'expiries', keyEncoding: 'binary', encoding: 'binary' });
  }

  async get(key: Key): Promise<Item | undefined> {
    const [item] = await this.getMany([key]);
    return item;
  }

  async getMany(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    checks.checkKeys(keys);
    this.#root.resetReadTxn();
    return keys.map((key) => {
      const row = this.#rows.get(bytesOf('item', key));
      return row && itemOf(key, row);
    });
  }

  async query(query: Query): Promise<Page> {
    checks.checkQuery(query);
    const { pk, prefix = '', from = '', to, after, descending = false, limit = checks.MAX_PAGE } = query;
    const lows: Buffer[] = [Buffer.from(prefix), Buffer.from(from)];
    const highs: Buffer[] = [Buffer.concat([Buffer.from(prefix), TOP])];
    if (to !== undefined) highs.push(above(Buffer.from(to)));
    if (after !== undefined)
      (descending ? highs : lows).push(descending ? Buffer.from(after) : above(Buffer.from(after)));
    const bound = (some: Buffer[], at: 0 | -1) =>
      Buffer.concat([partitionOf('item', pk), cut(some.sort(Buffer.compare).at(at) as Buffer)]);
    const [start, end] = [bound(lows, -1), bound(highs, 0)];
    if (Buffer.compare(start, end) >= 0) return { items: [] };
    const down = { start: end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true };
    const { found, isCut } = this.#page(descending ? down : { start, end }, limit);
    const items = found.map(({ key, value }) => itemOf({ pk, sk: positionOf(key)[2] }, value));
    return isCut ? { items, next: items.at(-1)?.sk } : { items };
  }

  put(item: NewItem, condition?: Condition): Promise<boolean> {
    return this.transact([{ put: item, condition }]);
  }

  remove(key: Key, condition?: Condition): Promise<boolean> {
    return this.transact([{ remove: key, condition }]);
  }

  async increment(key: Key, by: number, options: IncrementOptions = {}): Promise<number> {
    checks.checkIncrement(key, by, options);
    const bytes = bytesOf('counter', key);
    const { expires_at } = options;
    return this.#write(() => {
      const before = this.#rows.get(bytes);
      const counter = (before?.counter ?? 0) + by;
      this.#set(bytes, { counter, expires_at: expires_at ?? before?.expires_at });
      return counter;
    });
  }

  async transact(writes: readonly Write[]): Promise<boolean> {
    checks.checkWrites(writes);
    // Copies, because the caller may change a write while it waits for its transaction.
    const steps = writes.map((write) => ({
      key: bytesOf('item', checks.keyOf(write)),
      condition: write.condition && { ...write.condition },
      row: 'put' in write ? rowOf(write.put) : undefined,
      isRemoved: 'remove' in write,
    }));
    return this.#write(() => {
      if (!steps.every(({ key, condition }) => holds(condition, this.#rows.get(key)))) return false;
      for (const { key, row, isRemoved } of steps) {
        if (row) this.#set(key, row);
        if (isRemoved) this.#rows.remove(key);
      }
      return true;
    });
  }

  async dump(liveAt: number, after?: string): Promise<checks.EntryPage> {
    const [kind, pk, sk] = checks.positionOf(after);
    const isLive = ({ value }: { value: Row }) => checks.isLiveAt(value, liveAt);
    const { found, isCut } = this.#page({ start: above(bytesOf(kind, { pk, sk })) }, checks.PAGE_ENTRIES, isLive);
    const places = found.map(({ key }) => positionOf(key));
    const entries = found.map(({ value }, n): checks.Entry => {
      const [, pk = '', sk = ''] = places[n] ?? [];
      const { counter, json = '' } = value;
      return { pk, sk, ...(counter === undefined ? { data: JSON.parse(json) } : { counter }), ...expiryOf(value) };
    });
    const last = places.at(-1);
    return isCut && last ? { entries, next: checks.nextOf(last) } : { entries };
  }

  async restore(entries: readonly checks.Entry[]): Promise<void> {
    checks.checkEntries(entries);
    const rows = entries.map((entry): [Buffer, Row] =>
      checks.isCounter(entry)
        ? [bytesOf('counter', entry), { counter: entry.counter, ...expiryOf(entry) }]
        : [bytesOf('item', entry), rowOf(entry)],
    );
    await this.#write(() => {
      for (const [key, row] of rows) this.#set(key, row);
    });
  }

  async countEntries(): Promise<number> {
    return (this.#rows.getStats() as { entryCount: number }).entryCount;
  }

  async ping(): Promise<void> {
    this.#rows.get(TOP);
  }

  close(): Promise<void> {
    return this.#root.close();
  }

  /** Does the work in a transaction, which ends with it, and deletes expired rows when that is due. */
  async #write<T>(work: () => T): Promise<T> {
    try {
      return await this.#root.childTransaction(() => {
        const result = work();
        if (this.#writes++ % WRITES_PER_EXPIRY === 0) this.#expire();
        return result;
      });
    } catch (cause) {
      const reason = (cause as Error).message.split('\n')[0];
      throw new StoreUnavailable(`The database ${this.#folder} is unavailable: ${reason}.`, { cause });
    }
  }

  #set(key: Buffer, row: Row): void {
    this.#rows.put(key, row);
    if (row.expires_at !== undefined) this.#expiries.put(expiryKey(row.expires_at, key), key);
  }

  #expire(): void {
    const now = Math.floor(this.#now() / 1000);
    for (const { key, value } of [
      ...this.#expiries.getRange({ end: expiryKey(now, LOWEST), limit: 2 * WRITES_PER_EXPIRY }),
    ]) {
      // A row that was written again may have another expiry.
      const { expires_at = now } = this.#rows.get(value) ?? {};
      if (expires_at < now) this.#rows.remove(value);
      this.#expiries.remove(key);
    }
  }

  /** Rows of a range, up to the one that fills the page. */
  #page(range: object, limit: number, isWanted: (one: { value: Row }) => boolean = () => true) {
    this.#root.resetReadTxn();
    const found: { key: Buffer; value: Row }[] = [];
    let bytes = 0;
    for (const one of this.#rows.getRange(range)) {
      if (found.length === limit || bytes >= checks.PAGE_BYTES) return { found, isCut: true };
      if (!isWanted(one)) continue;
      found.push(one);
      bytes += sizeOf(one.value);
    }
    return { found, isCut: false };
  }
}
