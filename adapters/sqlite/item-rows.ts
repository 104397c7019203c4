import type { DatabaseSync } from 'node:sqlite';
import type { Condition, Item, Items, Key, KeyOf, Page, Query } from '../store/table.ts';
import { MAX_PAGE } from '../store/table-checks.ts';

type Row = { pk: string; sk: string; version: string; expires_at: number | null; data: string };

const COLUMNS = 'pk, sk, version, expires_at, data';

/** A value that SQLite sorts after every text. */
const ABOVE_ALL = new Uint8Array();

/** The least text above all texts with this prefix: the prefix with its last code point raised by one. */
const prefixEnd = (prefix: string): string | Uint8Array => {
  const points = Array.from(prefix, (char) => char.codePointAt(0) as number);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return ABOVE_ALL;
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
};

/** The least text above this one. */
const next = (text: string): string => `${text}\0`;

/** `max` and `min` of SQLite compare texts as sort keys do, so they pick the tightest bound of each side. */
const pageQuery = (order: 'ASC' | 'DESC'): string =>
  `SELECT ${COLUMNS} FROM items WHERE pk = ? AND sk >= max(?, ?, ?) AND sk < min(?, ?, ?) ORDER BY sk ${order} LIMIT ?`;

const asItem = <T extends object>({ data, expires_at, ...row }: Row): Item<T> => ({
  ...row,
  data: JSON.parse(data),
  ...(expires_at !== null && { expires_at }),
});

/** Holds the statements on items; each runs as a step of the caller's transaction. */
export class ItemRows {
  readonly #db;
  readonly #get;
  readonly #version;
  readonly #put;
  readonly #remove;
  readonly #ascending;
  readonly #descending;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#get = db.prepare(`SELECT ${COLUMNS} FROM items WHERE pk = ? AND sk = ?`);
    this.#version = db.prepare('SELECT version FROM items WHERE pk = ? AND sk = ?');
    this.#put = db.prepare(`INSERT OR REPLACE INTO items (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`);
    this.#remove = db.prepare('DELETE FROM items WHERE pk = ? AND sk = ?');
    this.#ascending = db.prepare(pageQuery('ASC'));
    this.#descending = db.prepare(pageQuery('DESC'));
  }

  get<T extends object>({ pk, sk }: KeyOf<T>): Item<T> | undefined {
    const row = this.#get.get(pk, sk);
    return row && asItem(row as Row);
  }

  /** Reads all items as of one moment, even while other processes write. */
  getMany<K extends readonly Key[]>(keys: K): Items<K> {
    this.#db.exec('BEGIN');
    try {
      return keys.map((key) => this.get(key)) as Items<K>;
    } finally {
      if (this.#db.isTransaction) this.#db.exec('COMMIT');
    }
  }

  page<T extends object>({
    pk,
    prefix = '',
    from = '',
    to,
    after,
    descending = false,
    limit = MAX_PAGE,
  }: Query<T>): Page<T> {
    const lows = [prefix, from, !descending && after !== undefined ? next(after) : ''];
    const highs = [prefixEnd(prefix), to === undefined ? ABOVE_ALL : next(to), (descending && after) || ABOVE_ALL];
    const statement = descending ? this.#descending : this.#ascending;
    // One row more than the page shows whether there is another page.
    const rows = statement.all(pk, ...lows, ...highs, limit + 1) as Row[];
    const items = rows.slice(0, limit).map((row) => asItem<T>(row));
    return rows.length > limit ? { items, next: items.at(-1)?.sk } : { items };
  }

  /** True where the condition on an item holds now, and where there is no condition. */
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
