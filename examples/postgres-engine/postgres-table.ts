import { hash } from 'node:crypto';
import type { Condition, IncrementOptions, Item, Key, NewItem, Page, Query, Table, Write } from 'account-service/table';
import * as checks from 'account-service/table';
import type { Database, Run } from './database.ts';
import * as sql from './statements.ts';

type Expires = { expires_at: string | null };
type ItemRow = Expires & { version: string; data: string };
/** A row of a page, with the bytes of the page's data up to its end. */
type Paged<R> = R & { pk: Buffer; sk: Buffer; bytes: string };

/** A byte above all of UTF-8. */
const TOP = Buffer.of(0xff);

/** The first of so many writes deletes up to twice as many expired rows of each table. */
const WRITES_PER_EXPIRY = 64;

const bytesOf = ({ pk, sk }: Key) => ({ pk: Buffer.from(pk), sk: Buffer.from(sk) });

const expiryOf = ({ expires_at }: Expires) => (expires_at === null ? {} : { expires_at: Number(expires_at) });

const itemOf = ({ pk, sk }: Key, row: ItemRow): Item => {
  return { pk, sk, data: JSON.parse(row.data), version: row.version, ...expiryOf(row) };
};

/** The members of rows as columns, which `unnest` makes rows again. */
const columns = <R extends object>(rows: readonly R[], ...names: readonly (keyof R)[]): unknown[][] =>
  names.map((name) => rows.map((row) => row[name]));

/** True where the last row has filled the page. */
const isFull = (rows: readonly { bytes: string }[], most: number): boolean =>
  rows.length === most || Number(rows.at(-1)?.bytes ?? 0) >= checks.PAGE_BYTES;

/** Copies a write, because the caller may change it while the call waits for a connection. */
const stepOf = (write: Write) => {
  const key = checks.keyOf(write);
  // Two keys of one number, by a rare chance, wait for each other without need.
  const lock = hash('sha256', checks.keyName(key), 'buffer').readBigInt64BE();
  const step = { ...bytesOf(key), lock, condition: write.condition && { ...write.condition } };
  if (!('put' in write)) return { ...step, removes: 'remove' in write };
  return { ...step, removes: false, data: checks.dataJson(write.put), expires_at: write.put.expires_at };
};
type Step = ReturnType<typeof stepOf>;

const holds = (condition: Condition | undefined, version: string | null | undefined): boolean =>
  !condition || ('absent' in condition ? version === null : version === condition.version);

/**
 * Writes all steps, or nothing and returns false where a condition does not hold. The versions are read by a statement
 * of their own, after the locks, so that it sees the writes for which the locks have waited.
 */
const writeAll = async (run: Run, steps: readonly Step[]): Promise<boolean> => {
  await run(sql.LOCK, columns(steps, 'lock'));
  const conditional = steps.filter(({ condition }) => condition);
  if (conditional.length > 0) {
    const rows = await run<{ version: string | null }>(sql.VERSIONS, columns(conditional, 'pk', 'sk'));
    if (!conditional.every(({ condition }, i) => holds(condition, rows[i]?.version))) return false;
  }
  const puts = steps.filter((step) => 'data' in step);
  if (puts.length > 0) await run(sql.PUT, columns(puts, 'pk', 'sk', 'expires_at', 'data'));
  const removals = steps.filter(({ removes }) => removes);
  if (removals.length > 0) await run(sql.REMOVE, columns(removals, 'pk', 'sk'));
  return true;
};

/** A table in a PostgreSQL database, for any number of processes. An outage of the database throws StoreUnavailable. */
export class PostgresTable implements Table, checks.TableDump {
  readonly #database: Database;
  #writes = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  async get(key: Key): Promise<Item | undefined> {
    const [item] = await this.getMany([key]);
    return item as Item | undefined;
  }

  async getMany(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    checks.checkKeys(keys);
    const copies = keys.map(({ pk, sk }) => ({ pk, sk }));
    const rows = await this.#database.run<ItemRow>(sql.GET, columns(keys.map(bytesOf), 'pk', 'sk'));
    return copies.map((key, i) => (rows[i]?.version ? itemOf(key, rows[i]) : undefined));
  }

  async query(query: Query): Promise<Page> {
    checks.checkQuery(query);
    const { pk, prefix = '', from = '', to, after, descending = false, limit = checks.MAX_PAGE } = query;
    // A text has a prefix if it lies between the prefix and the prefix with the highest byte.
    const low = [prefix, from, (!descending && after) || ''].map((text) => Buffer.from(text));
    const high = [Buffer.concat([Buffer.from(prefix), TOP]), to, descending ? after : undefined];
    // One row more than the page shows whether there is another page.
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
    checks.checkIncrement(key, by, options);
    const values = [...Object.values(bytesOf(key)), options.expires_at, by];
    const [row] = await this.#database.run<{ value: string }>(sql.add(options.volatile), values);
    this.#expire();
    return Number(row?.value);
  }

  async transact(writes: readonly Write[]): Promise<boolean> {
    checks.checkWrites(writes);
    const steps = writes.map(stepOf);
    const isDone = await this.#database.transaction((run) => writeAll(run, steps));
    this.#expire();
    return isDone;
  }

  async dump(liveAt: number, after?: string): Promise<checks.EntryPage> {
    const [kind, pk, sk] = checks.positionOf(after);
    const values = [checks.PAGE_ENTRIES, ...Object.values(bytesOf({ pk, sk })), liveAt];
    const rows = await this.#database.run<Paged<Expires & { data: string; value: string }>>(sql.DUMP[kind], values);
    const entries = rows.map((row): checks.Entry => {
      const content = kind === 'item' ? { data: JSON.parse(row.data) } : { counter: Number(row.value) };
      return { pk: row.pk.toString(), sk: row.sk.toString(), ...content, ...expiryOf(row) };
    });
    const last = entries.at(-1);
    if (last && isFull(rows, checks.PAGE_ENTRIES)) return { entries, next: checks.nextOf([kind, last.pk, last.sk]) };
    return kind === 'item' ? { entries, next: checks.nextOf(['counter', '', '']) } : { entries };
  }

  /** Writes all entries, or none where it fails. */
  async restore(entries: readonly checks.Entry[]): Promise<void> {
    checks.checkEntries(entries);
    const items = entries.flatMap((entry) => (checks.isCounter(entry) ? [] : [stepOf({ put: entry })]));
    const counters = entries.filter(checks.isCounter).map((entry) => ({ ...entry, ...bytesOf(entry) }));
    await this.#database.transaction(async (run) => {
      await writeAll(run, items);
      await run(sql.SET, columns(counters, 'pk', 'sk', 'expires_at', 'counter'));
    });
  }

  async countEntries(): Promise<number> {
    const [row] = await this.#database.run<{ entries: string }>(sql.COUNT);
    return Number(row?.entries);
  }

  async ping(): Promise<void> {
    await this.#database.run('SELECT 1');
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** Deletes expired rows beside the writes. A later call deletes what this one fails to delete. */
  #expire(): void {
    if (this.#writes++ % WRITES_PER_EXPIRY > 0) return;
    for (const table of ['store_items', 'store_counters'] as const)
      this.#database.run(sql.expire(table), [2 * WRITES_PER_EXPIRY]).catch(() => {});
  }
}
