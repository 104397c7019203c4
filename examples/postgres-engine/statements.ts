import { PAGE_BYTES } from 'account-service/table';

/**
 * The tables of the store. Keys are bytes of UTF-8, because text in PostgreSQL has no NUL, and bytes have the right
 * order under every collation. Data are JSON as text, because `jsonb` has no NUL either and reorders members.
 */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS store_items (
    pk bytea, sk bytea, version uuid NOT NULL, expires_at bigint, data text NOT NULL, PRIMARY KEY (pk, sk)
  );
  CREATE TABLE IF NOT EXISTS store_counters (
    pk bytea, sk bytea, value bigint NOT NULL, expires_at bigint, PRIMARY KEY (pk, sk)
  );
  CREATE INDEX IF NOT EXISTS store_items_expiry ON store_items (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS store_counters_expiry ON store_counters (expires_at) WHERE expires_at IS NOT NULL`;

/**
 * Locks keys until the end of the transaction, all in one order, so that no two transactions wait for each other. A
 * lock on rows would not hold for an absent item, which has no row. SERIALIZABLE would need no locks, but it fails one
 * of two transactions that meet in a page of an index, and each failed one has to run again.
 */
export const LOCK = 'SELECT pg_advisory_xact_lock(id) FROM unnest($1::bigint[]) AS id ORDER BY id';

const read = (columns: string): string => `
  SELECT ${columns} FROM unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS wanted (pk, sk, place)
  LEFT JOIN store_items USING (pk, sk) ORDER BY place`;

/** One row for each key, in the order of the keys. Where there is no item, the row has no version. */
export const GET = read('version, expires_at, data');
export const VERSIONS = read('version');

/** A random version is never given twice, not even after a backup took the database back in time. */
export const PUT = `
  INSERT INTO store_items (pk, sk, expires_at, data, version)
  SELECT *, gen_random_uuid() FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::text[])
  ON CONFLICT (pk, sk) DO UPDATE
  SET version = excluded.version, expires_at = excluded.expires_at, data = excluded.data`;

export const REMOVE = 'DELETE FROM store_items WHERE (pk, sk) IN (SELECT * FROM unnest($1::bytea[], $2::bytea[]))';

/** Adds to a counter. A volatile sum does not wait for the disk, by a setting that ends with its transaction. */
export const add = (isVolatile = false): string => `
  INSERT INTO store_counters AS counter (pk, sk, expires_at, value)
  SELECT $1::bytea, $2::bytea, $3::bigint, $4::bigint
  ${isVolatile ? "FROM set_config('synchronous_commit', 'off', true)" : ''}
  ON CONFLICT (pk, sk) DO UPDATE
  SET value = counter.value + excluded.value, expires_at = coalesce(excluded.expires_at, counter.expires_at)
  RETURNING value`;

/** Sets counters, in the order of their keys, so that no two calls wait for each other. */
export const SET = `
  INSERT INTO store_counters (pk, sk, expires_at, value)
  SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[]) ORDER BY 1, 2
  ON CONFLICT (pk, sk) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;

/** Up to $1 rows, and none after the one that brings the page to its bytes. The server does not read their data. */
const page = (table: string, content: string, condition: string, order: string): string => `
  SELECT * FROM (
    SELECT *, octet_length(${content}::text) AS size,
      sum(octet_length(${content}::text)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS bytes
    FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT $1
  ) AS page WHERE bytes - size < ${PAGE_BYTES} ORDER BY ${order}`;

/** A page of the partition $2, within all of the bounds. */
export const query = (order: 'ASC' | 'DESC'): string => {
  const bounds = 'sk >= $3 AND sk >= $4 AND sk > $5 AND sk < $6 AND sk <= $7 AND sk < $8';
  return page('store_items', 'data', `pk = $2 AND ${bounds}`, `sk ${order}`);
};

const live = '(pk, sk) > ($2, $3) AND (expires_at IS NULL OR expires_at >= $4)';
export const DUMP = {
  item: page('store_items', 'data', live, 'pk, sk'),
  counter: page('store_counters', 'value', live, 'pk, sk'),
};

/** The statistics of the server, which are a moment old. */
export const COUNT = `
  SELECT sum(n_live_tup) AS entries FROM pg_stat_user_tables
  WHERE relid IN ('store_items'::regclass, 'store_counters'::regclass)`;

/** Deletes up to $1 expired rows. It leaves those that a transaction holds to a later call, and so waits for nobody. */
export const expire = (table: 'store_items' | 'store_counters'): string => `
  DELETE FROM ${table} WHERE (pk, sk) IN (
    SELECT pk, sk FROM ${table} WHERE expires_at < extract(epoch FROM now())::bigint
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )`;
