import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Once in so many writes, beginning with the first, up to twice as many expired rows of each table go. */
const WRITES_PER_STEP = 64;
const ROWS_PER_STEP = 2 * WRITES_PER_STEP;

const deletion = (table: 'items' | 'counters'): string =>
  `DELETE FROM ${table} WHERE (pk, sk) IN (SELECT pk, sk FROM ${table} WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`;

/**
 * Deletes what has expired in small steps beside the writes of a connection, so that the file doesn't grow for ever and
 * no write waits for long. More goes than can come in, for what comes in are writes.
 */
export class Expiry {
  readonly #now: () => number;
  readonly #deletions: readonly StatementSync[];
  #writes = 0;

  /** `now` in milliseconds, as `Date.now` has it. */
  constructor(db: DatabaseSync, now: () => number) {
    this.#now = now;
    this.#deletions = [db.prepare(deletion('items')), db.prepare(deletion('counters'))];
  }

  /** To be called in the transaction of each write. */
  afterWrite(): void {
    if (this.#writes++ % WRITES_PER_STEP > 0) return;
    const seconds = Math.floor(this.#now() / 1000);
    for (const statement of this.#deletions) statement.run(seconds, ROWS_PER_STEP);
  }
}
