import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Key } from '../store/table.ts';

type Row = readonly [value: number, expires_at: number | null];

/** Holds the statements on counters, which run as a step of the caller's transaction. */
export class CounterRows {
  readonly #get: StatementSync;
  readonly #add: StatementSync;
  readonly #put: StatementSync;

  constructor(db: DatabaseSync) {
    this.#get = db.prepare('SELECT value, expires_at FROM counters WHERE pk = ? AND sk = ?');
    this.#get.setReturnArrays(true);
    this.#add = db.prepare('UPDATE counters SET value = value + ? WHERE pk = ? AND sk = ?');
    this.#put = db.prepare('INSERT OR REPLACE INTO counters (pk, sk, value, expires_at) VALUES (?, ?, ?, ?)');
  }

  /** Adds to a counter and returns the sum. `expiresAt`, in Unix seconds, replaces an earlier expiry. */
  add({ pk, sk }: Key, by: number, expiresAt: number | undefined): number {
    const [value, expiry] = (this.#get.get(pk, sk) as Row | undefined) ?? [0, undefined];
    // Most increments leave the expiry as it is, so that the index of expiries needs no write.
    if (expiry !== undefined && (expiresAt === undefined || expiresAt === expiry)) this.#add.run(by, pk, sk);
    else this.#put.run(pk, sk, value + by, expiresAt ?? null);
    return value + by;
  }
}
