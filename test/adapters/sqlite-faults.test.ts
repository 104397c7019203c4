import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { storeFault } from '../../adapters/sqlite/faults.ts';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { newFile, newFolder, open } from './sqlite/folder.ts';
import { startWithFileLimit } from './sqlite/processes.ts';

const NOBODY = 65_534;

/** Runs the work as an unprivileged user, because file modes do not apply to root. */
const unprivileged = <T>(work: () => T): T => {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
};

const faultOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
};

/** The file of a closed store that has been used. */
const usedStore = async (): Promise<string> => {
  const file = newFile();
  const table = openSqliteTable(file);
  await table.put({ pk: 'p', sk: 's', data: {} });
  await table.close();
  return file;
};

const opening = (file: string): unknown => faultOf(() => openSqliteTable(file));

const expectUnavailable = (error: unknown, file: string, why: string): void => {
  expect(error).toBeInstanceOf(StoreUnavailable);
  expect((error as Error).message).toBe(`The store ${file} is unavailable: ${why}.`);
};

describe('paths that can’t be opened as a store', () => {
  test('opening a file that is no database is refused and leaves the file unchanged', () => {
    const file = newFile();
    const text = 'Dear diary, '.repeat(1000);
    writeFileSync(file, text);
    expectUnavailable(opening(file), file, 'its file is not a database');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('opening a folder is refused', () => {
    const folder = newFolder();
    expectUnavailable(opening(folder), folder, 'its file cannot be opened for writing (EISDIR)');
  });

  test('opening a read-only file is refused', async () => {
    const file = await usedStore();
    chmodSync(file, 0o444);
    chmodSync(dirname(file), 0o777);
    expectUnavailable(
      unprivileged(() => opening(file)),
      file,
      'its file cannot be opened for writing (EACCES)',
    );
  });

  test('opening a file in a read-only folder is refused', async () => {
    const file = await usedStore();
    chmodSync(file, 0o666);
    chmodSync(dirname(file), 0o555);
    expectUnavailable(
      unprivileged(() => opening(file)),
      file,
      'its file or folder is read-only',
    );
  });

  test('opening a path below a file is refused', async () => {
    const file = join(await usedStore(), 'store.db');
    expectUnavailable(opening(file), file, 'its file cannot be opened for writing (EEXIST)');
  });

  test('opening the store of a newer version is refused', async () => {
    const file = await usedStore();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 2');
    db.close();
    expect(opening(file)).toEqual(new Error(`The store ${file} has schema 2; this program knows 1. Run a newer one.`));
  });

  test('opening the database of another program is refused', () => {
    const file = newFile();
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE notes (text)');
    db.close();
    expect(opening(file)).toMatchObject({
      name: 'Error',
      message: expect.stringContaining("another program's database"),
    });
  });
});

test('an empty file becomes a store', async () => {
  const file = newFile();
  writeFileSync(file, '');
  expect(await open(file).put({ pk: 'p', sk: 's', data: {} })).toBe(true);
});

test('while another process locks the file, reads continue and writes fail and succeed later', async () => {
  const file = await usedStore();
  const table = open(file, { busyTimeoutMs: 30 });
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  const writes = [
    table.put({ pk: 'p', sk: 'new', data: {} }),
    table.transact([{ remove: { pk: 'p', sk: 's' } }]),
    table.increment({ pk: 'p', sk: 'c' }, 1),
    table.increment({ pk: 'p', sk: 'c' }, 1, { volatile: true }),
  ];
  for (const result of await Promise.allSettled(writes)) {
    expectUnavailable((result as PromiseRejectedResult).reason, file, 'another process keeps it locked');
  }
  expect((await table.query({ pk: 'p' })).items.map(({ sk }) => sk)).toEqual(['s']);
  await table.ping();

  other.exec('ROLLBACK');
  other.close();
  expect(await table.put({ pk: 'p', sk: 'new', data: {} }, { absent: true })).toBe(true);
  expect(await table.increment({ pk: 'p', sk: 'c' }, 1)).toBe(1);
});

test('a full disk is a store error, and an invalid statement is not', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA max_page_count = 2; CREATE TABLE t (x)');
  const full = faultOf(() => db.prepare('INSERT INTO t VALUES (zeroblob(?))').run(100_000));
  expectUnavailable(storeFault(full, '/data/store.db'), '/data/store.db', 'the disk is full');
  const wrong = faultOf(() => db.prepare('SELECT nothing FROM nowhere'));
  expect(storeFault(wrong, '/data/store.db')).toBe(wrong);
});

test('when the file cannot grow, writes fail, reads continue and acknowledged writes stay', async () => {
  const file = newFile();
  const { code, lines, errors } = await startWithFileLimit(1000, 'write-until-stopped.ts', file).ended;
  expect(code).toBe(1);
  expect(errors).toBe(
    `StoreUnavailable: The store ${file} is unavailable: reading or writing its file failed.; still reads 1`,
  );
  expect(lines.length).toBeGreaterThan(10);
  const table = open(file);
  const items = await Promise.all(lines.map((sk) => table.get({ pk: 'acknowledged', sk })));
  expect(items.filter((item) => item === undefined)).toEqual([]);
  expect(await table.put({ pk: 'p', sk: 's', data: {} })).toBe(true);
});
