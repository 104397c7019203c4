import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Key } from '../store/table.ts';

const ADD = `
  INSERT INTO counters (pk, sk, value, expires_at) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET value = value + excluded.value, expires_at = coalesce(excluded.expires_at, expires_at)
  RETURNING value
`;

/** Holds the statement on counters, which runs as a step of the caller's transaction. */
export class CounterRows {
  readonly #add: StatementSync;

  constructor(db: DatabaseSync) {
    this.#add = db.prepare(ADD);
  }

  /** Adds to a counter and returns the sum. `expiresAt`, in Unix seconds, replaces an earlier expiry. */
  add({ pk, sk }: Key, by: number, expiresAt: number | undefined): number {
    return Number(this.#add.get(pk, sk, by, expiresAt ?? null)?.value);
  }
}
