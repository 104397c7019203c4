import type { Condition, IncrementOptions, Item, Key, NewItem, Page, Query, Table, Write } from '../store/table.ts';
import {
  checkIncrement,
  checkKeys,
  checkQuery,
  checkWrites,
  dataJson,
  keyOf,
  MAX_PAGE,
  PAGE_BYTES,
} from '../store/table-checks.ts';
import {
  checkEntries,
  type Entry,
  type EntryPage,
  isCounter,
  nextOf,
  PAGE_ENTRIES,
  positionOf,
  type TableDump,
} from '../store/table-dump.ts';
import { Database } from './database.ts';
import * as sql from './statements.ts';

type Expires = { expires_at: string | null };
type ItemRow = Expires & { version: string; data: string };
/** A row of a page, with the total bytes of data up to and including it. */
type Paged<R> = R & { pk: Buffer; sk: Buffer; bytes: string };

/** A byte above every byte of UTF-8. */
const TOP = Buffer.of(0xff);

/** The first of every 64 writes deletes up to 128 expired rows of each table. */
const WRITES_PER_EXPIRY = 64;

/** With fewer free connections, another process may find none. */
const FEW_CONNECTIONS = 10;

const bytesOf = ({ pk, sk }: Key) => ({ pk: Buffer.from(pk), sk: Buffer.from(sk) });

const expiryOf = ({ expires_at }: Expires) => (expires_at === null ? {} : { expires_at: Number(expires_at) });

const itemOf = ({ pk, sk }: Key, row: ItemRow): Item => {
  return { pk, sk, data: JSON.parse(row.data), version: row.version, ...expiryOf(row) };
};

/** The fields of rows as column arrays, which `unnest` turns back into rows. */
const columns = <R extends object>(rows: readonly R[], ...names: readonly (keyof R)[]): unknown[][] =>
  names.map((name) => rows.map((row) => row[name]));

/** True if the last row fills the page. */
const isFull = (rows: readonly { bytes: string }[], most: number): boolean =>
  rows.length === most || Number(rows.at(-1)?.bytes ?? 0) >= PAGE_BYTES;

/** Copies a write, because the caller may change it while the call waits for a connection. */
const stepOf = (write: Write) => ({
  ...bytesOf(keyOf(write)),
  condition: write.condition && ('absent' in write.condition ? '' : write.condition.version),
  removed: 'remove' in write,
  expires_at: 'put' in write ? write.put.expires_at : undefined,
  data: 'put' in write ? dataJson(write.put) : undefined,
});

/** A table in a PostgreSQL database, for any number of processes. An outage of the database throws StoreUnavailable. */
export class PostgresTable implements Table, TableDump {
  readonly #database: Database;
  readonly #now: () => number;
  #writes = 0;

  private constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /**
   * Opens the store in the database of a URL, and creates its tables. `now` returns milliseconds since 1970, to find
   * expired rows. Throws a one-sentence Error if the database can't hold a store, and StoreUnavailable.
   */
  static async open(url: string, purpose: 'serving' | 'copying' = 'serving', now = Date.now): Promise<PostgresTable> {
    return new PostgresTable(await Database.open(url, purpose), now);
  }

  async get(key: Key): Promise<Item | undefined> {
    const [item] = await this.getMany([key]);
    return item;
  }

  async getMany(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    checkKeys(keys);
    const copies = keys.map(({ pk, sk }) => ({ pk, sk }));
    const rows = await this.#database.run<ItemRow>(sql.GET, columns(keys.map(bytesOf), 'pk', 'sk'));
    return copies.map((key, i) => (rows[i]?.version ? itemOf(key, rows[i]) : undefined));
  }

  async query(query: Query): Promise<Page> {
    checkQuery(query);
    const { pk, prefix = '', from = '', to, after, descending = false, limit = MAX_PAGE } = query;
    // A string has a prefix if it sorts between the prefix and the prefix followed by the highest byte.
    const low = [prefix, from, (!descending && after) || ''].map((text) => Buffer.from(text));
    const high = [Buffer.concat([Buffer.from(prefix), TOP]), to, descending ? after : undefined];
    // One additional row shows whether there is another page.
    const values = [limit + 1, Buffer.from(pk), ...low, ...high.map((bound) => Buffer.from(bound ?? TOP))];
    const rows = await this.#database.run<Paged<ItemRow>>(sql.query(descending ? 'DESC' : 'ASC'), values);
    const items = rows.slice(0, limit).map((row) => itemOf({ pk, sk: row.sk.toString() }, row));
    return isFull(rows, limit + 1) ? { items, next: items.at(-1)?.sk } : { items };
  }

  put(item: NewItem, condition?: Condition): Promise<boolean> {
    return this.transact([{ put: item, condition }]);
  }

  remove(key: Key, condition?: Condition): Promise<boolean> {
    return this.transact([{ remove: key, condition }]);
  }

  async increment(key: Key, by: number, options: IncrementOptions = {}): Promise<number> {
    checkIncrement(key, by, options);
    const values = [...Object.values(bytesOf(key)), options.expires_at, by];
    const [row] = await this.#database.run<{ value: string }>(sql.add(options.volatile), values);
    this.#expire();
    return Number(row?.value);
  }

  async transact(writes: readonly Write[]): Promise<boolean> {
    checkWrites(writes);
    const values = columns(writes.map(stepOf), 'pk', 'sk', 'condition', 'removed', 'expires_at', 'data');
    const [row] = await this.#database.run<{ done: boolean }>(sql.WRITE, values);
    this.#expire();
    return row?.done === true;
  }

  async dump(liveAt: number, after?: string): Promise<EntryPage> {
    const [kind, pk, sk] = positionOf(after);
    const values = [PAGE_ENTRIES, ...Object.values(bytesOf({ pk, sk })), liveAt];
    const rows = await this.#database.run<Paged<Expires & { data: string; value: string }>>(sql.DUMP[kind], values);
    const entries = rows.map((row): Entry => {
      const content = kind === 'item' ? { data: JSON.parse(row.data) } : { counter: Number(row.value) };
      return { pk: row.pk.toString(), sk: row.sk.toString(), ...content, ...expiryOf(row) };
    });
    const last = entries.at(-1);
    if (last && isFull(rows, PAGE_ENTRIES)) return { entries, next: nextOf([kind, last.pk, last.sk]) };
    return kind === 'item' ? { entries, next: nextOf(['counter', '', '']) } : { entries };
  }

  async restore(entries: readonly Entry[]): Promise<void> {
    checkEntries(entries);
    const items = entries.flatMap((entry) => (isCounter(entry) ? [] : [{ put: entry }]));
    const counters = entries.filter(isCounter).map((entry) => ({ ...entry, ...bytesOf(entry) }));
    if (items.length > 0) await this.transact(items);
    await this.#database.run(sql.SET, columns(counters, 'pk', 'sk', 'expires_at', 'counter'));
  }

  async countEntries(): Promise<number> {
    const [row] = await this.#database.run<{ entries: string }>(sql.COUNT);
    return Number(row?.entries);
  }

  /** Sentences on server settings that guarantee less than a store needs. */
  async faults(): Promise<string[]> {
    const { name } = this.#database;
    const [found] = await this.#database.run<{ is_durable: boolean; free: number }>(sql.HEALTH);
    return [
      ...(found?.is_durable
        ? []
        : [`The server of ${name} may lose what it has acknowledged; set fsync=on and synchronous_commit=on.`]),
      ...(found && found.free < FEW_CONNECTIONS
        ? [`The server of ${name} has ${found.free} connections left; raise max_connections, or lower pool_max_conns.`]
        : []),
    ];
  }

  async ping(): Promise<void> {
    await this.#database.run('SELECT 1');
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** Deletes expired rows after writes. If it fails, a later call deletes them. */
  #expire(): void {
    if (this.#writes++ % WRITES_PER_EXPIRY > 0) return;
    const values = [2 * WRITES_PER_EXPIRY, Math.floor(this.#now() / 1000)];
    for (const table of ['store_items', 'store_counters'] as const)
      this.#database.run(sql.expire(table), values).catch(() => {});
  }
}
