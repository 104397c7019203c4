import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Key } from '../store/table.ts';

const ADD = `
  INSERT INTO counters (pk, sk, value, expires_at) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET value = value + excluded.value, expires_at = coalesce(excluded.expires_at, expires_at)
  RETURNING value
`;

/** The statement on counters, a step of whichever transaction it runs in. */
export class CounterRows {
  readonly #add: StatementSync;

  constructor(db: DatabaseSync) {
    this.#add = db.prepare(ADD);
  }

  /** The sum. An expiry replaces the one before. */
  add({ pk, sk }: Key, by: number, expiresAt: number | undefined): number {
    return Number(this.#add.get(pk, sk, by, expiresAt ?? null)?.value);
  }
}
