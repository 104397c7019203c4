import { PAGE_BYTES } from '../store/table-checks.ts';

/** Reads whether the schema exists, and the settings on which the engine's guarantees depend. */
export const LOOK = `
  SELECT to_regprocedure('store_write_1(bytea[], bytea[], text[], boolean[], bigint[], text[])') IS NOT NULL AS is_made,
    current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int / 10000 AS version`;

/**
 * Creates whatever is missing. Processes that start at the same moment run it one after the other, because statements
 * that are sent together are one transaction.
 *
 * Keys are UTF-8 bytes, because PostgreSQL text allows no NUL, and bytes have the right order under every collation.
 * Data are JSON in a text column, because `jsonb` also allows no NUL, and reorders fields.
 *
 * `store_write_1` runs a whole transaction in one round trip, so no lock waits for a client, and no call depends on the
 * state of its connection: PgBouncer may give each call another one. It locks keys in one order. Row locks would not
 * protect an absent item, and SERIALIZABLE fails transactions that share an index page. Each of its statements sees
 * everything committed before it, including the writes that its locks waited for. A condition is a version, or empty
 * for an absent item. Versions are random and never repeat, not even in a restored database.
 */
export const SCHEMA = `
  SELECT pg_advisory_xact_lock(hashtext('store schema'));
  CREATE TABLE IF NOT EXISTS store_items (
    pk bytea, sk bytea, version uuid NOT NULL, expires_at bigint, data text NOT NULL, PRIMARY KEY (pk, sk)
  );
  CREATE TABLE IF NOT EXISTS store_counters (
    pk bytea, sk bytea, value bigint NOT NULL, expires_at bigint, PRIMARY KEY (pk, sk)
  );
  CREATE INDEX IF NOT EXISTS store_items_expiry ON store_items (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS store_counters_expiry ON store_counters (expires_at) WHERE expires_at IS NOT NULL;
  CREATE OR REPLACE FUNCTION store_write_1(
    pks bytea[], sks bytea[], conditions text[], removals boolean[], expiries bigint[], documents text[]
  ) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '3s' AS $$
  BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE 'its default_transaction_isolation has to be "read committed"' USING ERRCODE = '25001';
    END IF;
    PERFORM pg_advisory_xact_lock(id) FROM (
      SELECT DISTINCT ('x' || left(encode(sha256(int4send(length(pk)) || pk || sk), 'hex'), 16))::bit(64)::bigint AS id
      FROM unnest(pks, sks) AS step (pk, sk) ORDER BY id
    ) AS locks;
    IF EXISTS (
      SELECT FROM unnest(pks, sks, conditions) AS step (pk, sk, condition) LEFT JOIN store_items USING (pk, sk)
      WHERE condition IS NOT NULL AND condition <> coalesce(version::text, '')
    ) THEN RETURN false; END IF;
    INSERT INTO store_items (pk, sk, expires_at, data, version)
    SELECT *, gen_random_uuid() FROM unnest(pks, sks, expiries, documents) AS step (pk, sk, expires_at, data)
    WHERE step.data IS NOT NULL
    ON CONFLICT (pk, sk) DO UPDATE
    SET version = excluded.version, expires_at = excluded.expires_at, data = excluded.data;
    DELETE FROM store_items AS item USING unnest(pks, sks, removals) AS step (pk, sk, removed)
    WHERE removed AND (item.pk, item.sk) = (step.pk, step.sk);
    RETURN true;
  END $$`;

export const WRITE = 'SELECT store_write_1($1, $2, $3, $4, $5, $6) AS done';

/** One row for each key, in the order of the keys. The version is null if there is no item. */
export const GET = `
  SELECT version, expires_at, data FROM unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS wanted (pk, sk, place)
  LEFT JOIN store_items USING (pk, sk) ORDER BY place`;

/** Adds to a counter. A volatile sum does not wait for the disk, by a setting of its transaction only. */
export const add = (isVolatile = false): string => `
  INSERT INTO store_counters AS counter (pk, sk, expires_at, value)
  SELECT $1::bytea, $2::bytea, $3::bigint, $4::bigint
  ${isVolatile ? "FROM set_config('synchronous_commit', 'off', true)" : ''}
  ON CONFLICT (pk, sk) DO UPDATE
  SET value = counter.value + excluded.value, expires_at = coalesce(excluded.expires_at, counter.expires_at)
  RETURNING value`;

/** Sets counters in the order of their keys, so that two calls never deadlock. */
export const SET = `
  INSERT INTO store_counters (pk, sk, expires_at, value)
  SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[]) ORDER BY 1, 2
  ON CONFLICT (pk, sk) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;

/**
 * Up to $1 rows, ending with the row that fills the page's bytes. The server does not read the data of rows beyond it.
 */
const page = (table: string, content: string, condition: string, order: string): string => `
  SELECT * FROM (
    SELECT *, octet_length(${content}::text) AS size,
      sum(octet_length(${content}::text)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS bytes
    FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT $1
  ) AS page WHERE bytes - size < ${PAGE_BYTES} ORDER BY ${order}`;

/** A page of the partition $2 within all bounds. */
export const query = (order: 'ASC' | 'DESC'): string => {
  const bounds = 'sk >= $3 AND sk >= $4 AND sk > $5 AND sk < $6 AND sk <= $7 AND sk < $8';
  return page('store_items', 'data', `pk = $2 AND ${bounds}`, `sk ${order}`);
};

const live = '(pk, sk) > ($2, $3) AND (expires_at IS NULL OR expires_at >= $4)';
export const DUMP = {
  item: page('store_items', 'data', live, 'pk, sk'),
  counter: page('store_counters', 'value', live, 'pk, sk'),
};

/** An estimate from the server's statistics. */
export const COUNT = `
  SELECT sum(n_live_tup) AS entries FROM pg_stat_user_tables
  WHERE relid IN ('store_items'::regclass, 'store_counters'::regclass)`;

/** Deletes up to $1 rows. It skips rows that a transaction has locked, so that it waits for nobody. */
export const expire = (table: 'store_items' | 'store_counters'): string => `
  DELETE FROM ${table} WHERE (pk, sk) IN (
    SELECT pk, sk FROM ${table} WHERE expires_at < $2 ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )`;

/** The settings by which an acknowledged write may be lost, and the number of free connections. */
export const HEALTH = `
  SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS is_durable,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS free`;
