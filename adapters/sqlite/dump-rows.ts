import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { PAGE_BYTES } from '../store/table-checks.ts';
import {
  type CounterEntry,
  type Entry,
  type EntryPage,
  isCounter,
  nextOf,
  PAGE_ENTRIES,
  positionOf,
} from '../store/table-dump.ts';

/** Passes the rows of a statement to `visit` one by one, until it returns false. Throws the errors of SQLite. */
const eachRow = <Row>(
  statement: StatementSync,
  parameters: readonly SQLInputValue[],
  visit: (row: Row) => boolean,
): void => {
  const rows = statement.iterate(...parameters) as IterableIterator<unknown>;
  try {
    for (const row of rows) if (!visit(row as Row)) return;
  } catch (error) {
    // A failed iteration stays open: the next use of the statement would fail with the same error.
    rows.return?.();
    throw error;
  }
};

type Row = { pk: string; sk: string; content: string | number; expires_at: number | null };

/** The query for the live rows after a key, in the order of the primary key. */
const dumpOf = (table: 'items' | 'counters', column: string): string =>
  `SELECT pk, sk, ${column} AS content, expires_at FROM ${table}
   WHERE (pk, sk) > (?, ?) AND (expires_at IS NULL OR expires_at >= ?) ORDER BY pk, sk`;

const COUNT = 'SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM counters) AS entries';

const RESTORE = 'INSERT OR REPLACE INTO counters (pk, sk, value, expires_at) VALUES (?, ?, ?, ?)';

const asEntry = ({ pk, sk, content, expires_at }: Row): Entry => ({
  pk,
  sk,
  ...(typeof content === 'number' ? { counter: content } : { data: JSON.parse(content) }),
  ...(expires_at !== null && { expires_at }),
});

/** Prepared statements that read a whole store, first its items and then its counters, and that set a counter. */
export class DumpRows {
  readonly #items: StatementSync;
  readonly #counters: StatementSync;
  readonly #count: StatementSync;
  readonly #restore: StatementSync;

  constructor(db: DatabaseSync) {
    this.#items = db.prepare(dumpOf('items', 'data'));
    this.#counters = db.prepare(dumpOf('counters', 'value'));
    this.#count = db.prepare(COUNT);
    this.#restore = db.prepare(RESTORE);
  }

  page(liveAt: number, after: string | undefined): EntryPage {
    const [kind, pk, sk] = positionOf(after);
    const entries: Entry[] = [];
    let bytes = 0;
    const isOpen = () => entries.length < PAGE_ENTRIES && bytes < PAGE_BYTES;
    eachRow<Row>(kind === 'item' ? this.#items : this.#counters, [pk, sk, liveAt], (row) => {
      entries.push(asEntry(row));
      bytes += Buffer.byteLength(String(row.content));
      return isOpen();
    });
    const last = entries.at(-1);
    if (last && !isOpen()) return { entries, next: nextOf([isCounter(last) ? 'counter' : 'item', last.pk, last.sk]) };
    return kind === 'item' ? { entries, next: nextOf(['counter', '', '']) } : { entries };
  }

  count(): number {
    return Number(this.#count.get()?.entries);
  }

  setCounter({ pk, sk, counter, expires_at }: CounterEntry): void {
    this.#restore.run(pk, sk, counter, expires_at ?? null);
  }
}
