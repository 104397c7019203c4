import type { DatabaseSync } from 'node:sqlite';
import type { Condition, Item, Key, Page, Query } from '../store/table.ts';
import { MAX_PAGE, PAGE_BYTES } from '../store/table-checks.ts';

type Row = readonly [sk: string, version: string, expires_at: number | null, data: string];

const COLUMNS = 'sk, version, expires_at, data';

/**
 * The maximum number of rows to read at a time. It bounds the large rows that are read beyond the end of a page; row by
 * row, a query takes half as long again.
 */
const AT_ONCE = 64;

/** SQLite re-prepares a statement for each value of a bare `LIMIT ?`, because its plan may depend on the value. */
const pageOf = (order: 'ASC' | 'DESC'): string =>
  `SELECT ${COLUMNS} FROM items WHERE pk = ? AND sk >= ? AND sk < ? ORDER BY sk ${order} LIMIT ? + 0`;

const asItem = <T extends object>(pk: string, [sk, version, expires_at, data]: Row): Item<T> =>
  expires_at === null
    ? { pk, sk, version, data: JSON.parse(data) }
    : { pk, sk, version, data: JSON.parse(data), expires_at };

/** Prepared statements on items. Each runs within the caller's transaction. */
export class ItemRows {
  readonly #get;
  readonly #version;
  readonly #put;
  readonly #remove;
  readonly #ascending;
  readonly #descending;

  constructor(db: DatabaseSync) {
    this.#get = db.prepare(`SELECT ${COLUMNS} FROM items WHERE pk = ? AND sk = ?`);
    this.#version = db.prepare('SELECT version FROM items WHERE pk = ? AND sk = ?');
    this.#put = db.prepare(`INSERT OR REPLACE INTO items (pk, ${COLUMNS}) VALUES (?, ?, ?, ?, ?)`);
    this.#remove = db.prepare('DELETE FROM items WHERE pk = ? AND sk = ?');
    this.#ascending = db.prepare(pageOf('ASC'));
    this.#descending = db.prepare(pageOf('DESC'));
    for (const statement of [this.#get, this.#ascending, this.#descending]) statement.setReturnArrays(true);
  }

  get({ pk, sk }: Key): Item | undefined {
    const row = this.#get.get(pk, sk) as Row | undefined;
    return row && asItem(pk, row);
  }

  page(query: PageQuery): Page {
    const { pk, limit } = query;
    const items: Item[] = [];
    let bytes = 0;
    for (const row of this.#rows(query)) {
      if (items.length === limit || bytes >= PAGE_BYTES) return { items, next: items.at(-1)?.sk };
      items.push(asItem(pk, row));
      bytes += Buffer.byteLength(row[3]);
    }
    return { items };
  }

  /** The rows of a page, and an additional one that shows whether there is another page. */
  *#rows(query: PageQuery): Generator<Row, undefined> {
    const statement = query.descending ? this.#descending : this.#ascending;
    for (let left = query.limit + 1, rest = query; left > 0; left -= AT_ONCE) {
      const most = Math.min(left, AT_ONCE);
      const rows = statement.all(rest.pk, rest.low, rest.high, most) as unknown as Row[];
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < most) return;
      rest = behind(rest, last[0]);
    }
  }

  /** True if there is no condition on an item, or it holds now. */
  holds({ pk, sk }: Key, condition: Condition | undefined): boolean {
    if (!condition) return true;
    const version = this.#version.get(pk, sk)?.version;
    return 'absent' in condition ? version === undefined : version === condition.version;
  }

  put({ pk, sk }: Key, version: string, expiresAt: number | undefined, data: string): void {
    this.#put.run(pk, sk, version, expiresAt ?? null, data);
  }

  remove({ pk, sk }: Key): void {
    this.#remove.run(pk, sk);
  }
}

/** A value that SQLite sorts after every string. */
const ABOVE_ALL = new Uint8Array();

/** A string, or a value above all strings. */
type Bound = string | typeof ABOVE_ALL;

/** Compares strings as SQLite does, by their UTF-8 bytes; `<` would put U+1F600 before U+FFFD. */
const isBelow = (a: string, b: string): boolean => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

const higher = (a: string, b: string): string => (b === '' || (a !== '' && isBelow(b, a)) ? a : b);

const lower = (a: Bound, b: Bound): Bound => {
  if (typeof b !== 'string') return a;
  return typeof a === 'string' && isBelow(a, b) ? a : b;
};

/** The least string above all strings with this prefix: the prefix with its last code point incremented. */
const prefixEnd = (prefix: string): Bound => {
  const unit = prefix.charCodeAt(prefix.length - 1);
  if (unit < 0xd7ff) return prefix.slice(0, -1) + String.fromCharCode(unit + 1);
  const points = Array.from(prefix, (char) => char.codePointAt(0) as number);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return ABOVE_ALL;
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
};

/** The least string above this one. */
const next = (text: string): string => `${text}\0`;

/** A page to read: the items with sort keys from `low` (inclusive) to `high` (exclusive). */
export type PageQuery = {
  readonly pk: string;
  readonly low: string;
  readonly high: Bound;
  readonly descending: boolean;
  readonly limit: number;
};

/** The rest of the page after this sort key. */
export const behind = (query: PageQuery, sk: string): PageQuery =>
  query.descending ? { ...query, high: sk } : { ...query, low: next(sk) };

/** The tightest bounds that satisfy all conditions of a query. */
export const pageQueryOf = (query: Query): PageQuery => {
  const { pk, prefix = '', from = '', to, after, descending = false, limit = MAX_PAGE } = query;
  let low = higher(prefix, from);
  let high = prefixEnd(prefix);
  if (to !== undefined) high = lower(high, next(to));
  if (after !== undefined && descending) high = lower(high, after);
  if (after !== undefined && !descending) low = higher(low, next(after));
  return { pk, low, high, descending, limit };
};
