import type { DatabaseSync } from 'node:sqlite';
import { openConnection, type Synchronous } from './connection.ts';
import { CounterRows } from './counter-rows.ts';
import { Expiry } from './expiry.ts';
import { WriteBatches } from './write-batches.ts';

export type SqliteOptions = {
  /** Milliseconds that a call, and its process with it, waits for the writes of other processes; 5000 by default. */
  readonly busyTimeoutMs?: number;
  /** Gives milliseconds since 1970, to find expired rows; `Date.now` by default. */
  readonly now?: () => number;
};

/** A connection with the batches of its writes and its statement on counters. */
export type Connected = { readonly db: DatabaseSync; readonly writes: WriteBatches; readonly counters: CounterRows };

/** Opens a connection to the store's file. Throws the errors of `openConnection`. */
export const connect = (
  file: string,
  synchronous: Synchronous,
  { busyTimeoutMs = 5000, now = Date.now }: SqliteOptions,
): Connected => {
  const db = openConnection(file, synchronous, busyTimeoutMs);
  return { db, writes: new WriteBatches(db, file, new Expiry(db, now)), counters: new CounterRows(db) };
};
