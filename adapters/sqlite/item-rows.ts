import type { DatabaseSync } from 'node:sqlite';
import type { Condition, Item, Key, KeyOf, Page } from '../store/table.ts';
import type { PageQuery } from './page-query.ts';

type Row = readonly [sk: string, version: string, expires_at: number | null, data: string];

const COLUMNS = 'sk, version, expires_at, data';

/** SQLite prepares a statement anew for each value of a bare `LIMIT ?`, because its plan may depend on the value. */
const pageOf = (order: 'ASC' | 'DESC'): string =>
  `SELECT ${COLUMNS} FROM items WHERE pk = ? AND sk >= ? AND sk < ? ORDER BY sk ${order} LIMIT ? + 0`;

const asItem = <T extends object>(pk: string, [sk, version, expires_at, data]: Row): Item<T> =>
  expires_at === null
    ? { pk, sk, version, data: JSON.parse(data) }
    : { pk, sk, version, data: JSON.parse(data), expires_at };

/** Holds the statements on items; each runs as a step of the caller's transaction. */
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

  get<T extends object>({ pk, sk }: KeyOf<T>): Item<T> | undefined {
    const row = this.#get.get(pk, sk) as Row | undefined;
    return row && asItem(pk, row);
  }

  page<T extends object>({ pk, low, high, descending, limit }: PageQuery): Page<T> {
    const statement = descending ? this.#descending : this.#ascending;
    // One row more than the page shows whether there is another page.
    const rows = statement.all(pk, low, high, limit + 1) as unknown as Row[];
    if (rows.length <= limit) return { items: rows.map((row) => asItem<T>(pk, row)) };
    const items = rows.slice(0, limit).map((row) => asItem<T>(pk, row));
    return { items, next: items.at(-1)?.sk };
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
