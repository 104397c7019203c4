import type { DatabaseSync } from 'node:sqlite';

const SCHEMA_VERSION = 1;

/** Marks the file as a store in its header. */
const APPLICATION_ID = 0x53544f52;

/**
 * SQLite's BINARY collation compares strings by their UTF-8 bytes, the order that the table guarantees. The indexes
 * hold only rows with an expiry.
 */
const CREATE = `
  CREATE TABLE items (
    pk TEXT NOT NULL,
    sk TEXT NOT NULL,
    version TEXT NOT NULL,
    expires_at INTEGER,
    data TEXT NOT NULL,
    PRIMARY KEY (pk, sk)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX items_by_expiry ON items (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE counters (
    pk TEXT NOT NULL,
    sk TEXT NOT NULL,
    value INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (pk, sk)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX counters_by_expiry ON counters (expires_at) WHERE expires_at IS NOT NULL;

  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

const read = (db: DatabaseSync, sql: string): unknown => Object.values(db.prepare(sql).get() ?? {})[0];

const isReady = (db: DatabaseSync, file: string): boolean => {
  const version = Number(read(db, 'PRAGMA user_version'));
  const isEmpty = read(db, 'SELECT count(*) FROM sqlite_schema') === 0;
  if (isEmpty) return false;
  if (read(db, 'PRAGMA application_id') !== APPLICATION_ID) {
    throw new Error(`${file} is another program's database; name a file of its own for the store.`);
  }
  if (version > SCHEMA_VERSION) {
    throw new Error(`The store ${file} has schema ${version}; this program knows ${SCHEMA_VERSION}. Run a newer one.`);
  }
  return true;
};

/** Throws Error if the file is not a store, or belongs to a newer version of this program. */
export const checkStoreFile = (db: DatabaseSync, file: string): void => {
  if (!isReady(db, file)) throw new Error(`${file} is empty; name the folder of a store.`);
};

/**
 * Creates missing tables. Processes may call it concurrently. Throws Error if the file belongs to another program or to
 * a newer version of this one.
 */
export const ensureSchema = (db: DatabaseSync, file: string): void => {
  if (isReady(db, file)) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    if (!isReady(db, file)) db.exec(CREATE);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
};
