import type { DatabaseSync } from 'node:sqlite';
import { type Condition, type Item, type Key, MAX_PAGE, type Page, type Query } from '../store/table.ts';

type Row = { pk: string; sk: string; version: string; expires_at: number | null; data: string };

const COLUMNS = 'pk, sk, version, expires_at, data';

/** Sorts after every text. */
const ABOVE_ALL = new Uint8Array();

/** The least text above all that begin with the prefix: its last code point goes up by one. */
const prefixEnd = (prefix: string): string | Uint8Array => {
  const points = Array.from(prefix, (char) => char.codePointAt(0) as number);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return ABOVE_ALL;
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
};

/** The least text above this one. */
const next = (text: string): string => `${text}\0`;

/** `max` and `min` of SQLite compare as the sort keys do, and so the tightest bound of each side holds. */
const pageQuery = (order: 'ASC' | 'DESC'): string =>
  `SELECT ${COLUMNS} FROM items WHERE pk = ? AND sk >= max(?, ?, ?) AND sk < min(?, ?, ?) ORDER BY sk ${order} LIMIT ?`;

const asItem = ({ data, expires_at, ...row }: Row): Item => ({
  ...row,
  data: JSON.parse(data),
  ...(expires_at !== null && { expires_at }),
});

/** The statements on items; each is one step of whichever transaction it runs in. */
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

  get({ pk, sk }: Key): Item | undefined {
    const row = this.#get.get(pk, sk);
    return row && asItem(row as Row);
  }

  /** All as they are at one moment, whatever other processes write meanwhile. */
  getMany(keys: readonly Key[]): (Item | undefined)[] {
    this.#db.exec('BEGIN');
    try {
      return keys.map((key) => this.get(key));
    } finally {
      if (this.#db.isTransaction) this.#db.exec('COMMIT');
    }
  }

  page({ pk, prefix = '', from = '', to, after, descending = false, limit = MAX_PAGE }: Query): Page {
    const lows = [prefix, from, !descending && after !== undefined ? next(after) : ''];
    const highs = [prefixEnd(prefix), to === undefined ? ABOVE_ALL : next(to), (descending && after) || ABOVE_ALL];
    const statement = descending ? this.#descending : this.#ascending;
    // One more than asked for, to know whether this page is the last.
    const rows = statement.all(pk, ...lows, ...highs, limit + 1) as Row[];
    const items = rows.slice(0, limit).map(asItem);
    return rows.length > limit ? { items, next: items.at(-1)?.sk } : { items };
  }

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
