import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** The first of every 64 writes deletes up to 128 expired rows of each table. */
const WRITES_PER_STEP = 64;
const ROWS_PER_STEP = 2 * WRITES_PER_STEP;

const deletion = (table: 'items' | 'counters'): string =>
  `DELETE FROM ${table} WHERE (pk, sk) IN
   (SELECT pk, sk FROM ${table} WHERE expires_at < ? ORDER BY expires_at LIMIT ${ROWS_PER_STEP})`;

/**
 * Deletes expired rows in small steps beside the writes of a connection, so that no write waits for long. It may delete
 * two rows for each write, and a write adds one, so the file does not grow for ever.
 */
export class Expiry {
  readonly #now: () => number;
  readonly #deletions: readonly StatementSync[];
  #writes = 0;

  /** `now` gives milliseconds since 1970, as `Date.now` does. */
  constructor(db: DatabaseSync, now: () => number) {
    this.#now = now;
    this.#deletions = [db.prepare(deletion('items')), db.prepare(deletion('counters'))];
  }

  /** Counts a write and deletes when it is due. The caller calls it once in the transaction of each write. */
  afterWrite(): void {
    if (this.#writes++ % WRITES_PER_STEP > 0) return;
    const seconds = Math.floor(this.#now() / 1000);
    for (const statement of this.#deletions) statement.run(seconds);
  }
}
