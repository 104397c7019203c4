import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { tableContract } from '../contracts/table.ts';
import { openDamaged } from './sqlite/damaged.ts';
import { newFile, newFolder, open } from './sqlite/folder.ts';

const contractFolder = mkdtempSync(join(tmpdir(), 'sqlite-table-'));
afterAll(() => rmSync(contractFolder, { recursive: true }));
const openInFolder = () => openSqliteTable(join(contractFolder, 'store.db'));
tableContract('SqliteTable', openInFolder, {
  another: openInFolder,
  outage: () => openDamaged(newFile()),
});

const rows = (file: string, table: 'items' | 'counters'): string[] => {
  const db = new DatabaseSync(file, { readOnly: true });
  const found = db.prepare(`SELECT sk FROM ${table} ORDER BY sk`).all();
  db.close();
  return found.map(({ sk }) => String(sk));
};

describe('the files of a SQLite store', () => {
  test('a store keeps items, their versions and counters when it is closed and opened again', async () => {
    const file = newFile();
    const before = openSqliteTable(file);
    await before.put({ pk: 'p', sk: 's', data: { n: 1 }, expires_at: 4_102_444_800 });
    await before.increment({ pk: 'p', sk: 'durable' }, 2);
    await before.increment({ pk: 'p', sk: 'volatile' }, 3, { volatile: true });
    const item = await before.get({ pk: 'p', sk: 's' });
    await before.close();

    const after = open(file);
    expect(await after.get({ pk: 'p', sk: 's' })).toEqual(item);
    expect(await after.increment({ pk: 'p', sk: 'durable' }, 1)).toBe(3);
    expect(await after.increment({ pk: 'p', sk: 'volatile' }, 1)).toBe(4);
    expect(await after.put({ pk: 'p', sk: 's', data: {} }, { version: item?.version ?? '' })).toBe(true);
    expect((await after.get({ pk: 'p', sk: 's' }))?.version).not.toBe(item?.version);
  });

  test('a store, its folder and its files are accessible only to their owner', async () => {
    const folder = join(newFolder(), 'made');
    await open(join(folder, 'store.db')).put({ pk: 'p', sk: 's', data: {} });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
    expect(Object.fromEntries(modes)).toEqual({ 'store.db': 0o600, 'store.db-shm': 0o600, 'store.db-wal': 0o600 });
  });

  test('a store is opened by its path even if SQLite gives that path another meaning', async () => {
    const file = join(newFolder(), ':memory:?mode=ro');
    await openSqliteTable(file).close();
    expect(statSync(file).size).toBeGreaterThan(0);
  });
});

describe('the writes of one tick', () => {
  test('each write of a tick sees the writes before it', async () => {
    const table = open(newFile());
    const key = { pk: 'p', sk: 's' };
    const done = await Promise.all([
      table.put({ ...key, data: { n: 1 } }, { absent: true }),
      table.put({ ...key, data: { n: 2 } }, { absent: true }),
      table.remove(key),
      table.transact([{ check: key, condition: { absent: true } }]),
      table.put({ ...key, data: { n: 3 } }, { absent: true }),
      table.put({ ...key, data: { n: 4 } }, { version: 'never given' }),
    ]);
    expect(done).toEqual([true, false, true, true, true, false]);
    expect((await table.get(key))?.data).toEqual({ n: 3 });
  });

  test('a read sees a write only after the write is acknowledged', async () => {
    const table = open(newFile());
    const answers: unknown[] = [];
    const key = { pk: 'p', sk: 's' };
    const note = (answer: unknown): void => void answers.push(answer);
    const write = () => table.put({ ...key, data: {} }).then(() => note('acknowledged'));
    const read = () => table.get(key).then((item) => note(item !== undefined));
    await read();
    await Promise.all([read(), write(), read()]);
    await read();
    expect(answers).toEqual([false, 'acknowledged', true, true, true]);
  });

  test('closing the store completes waiting writes', async () => {
    const file = newFile();
    const table = openSqliteTable(file);
    const writes = [
      table.put({ pk: 'p', sk: 's', data: {} }),
      table.increment({ pk: 'p', sk: 'c' }, 1, { volatile: true }),
    ];
    await table.close();
    expect(await Promise.all(writes)).toEqual([true, 1]);
    expect([rows(file, 'items'), rows(file, 'counters')]).toEqual([['s'], ['c']]);
  });
});

test('a write in the same tick as volatile increments waits for the disk, in one commit with them', async () => {
  const table = open(newFile());
  const increment = (n: number) => table.increment({ pk: 'p', sk: `c ${n}` }, 1, { volatile: true });
  await increment(1);
  const watch = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => watch.mockRestore());
  await Promise.all([increment(2), table.put({ pk: 'p', sk: 's', data: {} }), increment(3)]);
  const statements = watch.mock.calls.map(([sql]) => sql);
  expect(statements.filter((sql) => !sql.startsWith('PRAGMA busy_timeout'))).toEqual([
    'PRAGMA synchronous = FULL',
    'BEGIN IMMEDIATE',
    'COMMIT',
  ]);
});

test('reads of one tick see the time of their transaction, and later changes of their arguments have no effect', async () => {
  const table = open(newFile());
  await table.put({ pk: 'p', sk: 'a', data: { n: 1 } });
  const key = { pk: 'p', sk: 'a' };
  const query = { pk: 'p', prefix: 'a' };
  const keys = [key];
  const reads = [
    table.get(key),
    table.getMany(keys).then(([item]) => item),
    table.query(query).then(({ items }) => items[0]),
  ];
  Object.assign(key, { sk: 'b' });
  Object.assign(query, { prefix: 'b' });
  keys.length = 0;
  for (const item of await Promise.all(reads)) expect(item?.data).toEqual({ n: 1 });
});

test.each<[string, boolean, string, number]>([
  ['the first write waits for the disk, whatever SQLite was compiled for', false, 'FULL', 2],
  ['a volatile increment does not wait for the disk and leaves the rest of the file safe', true, 'NORMAL', 1],
])('%s', async (_, volatile, setting, synchronous) => {
  const table = open(newFile());
  const watch = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => watch.mockRestore());
  await (volatile ? table.increment({ pk: 'p', sk: 'c' }, 1, { volatile }) : table.put({ pk: 'p', sk: 's', data: {} }));
  const commits = watch.mock.contexts.filter((__, i) => watch.mock.calls[i]?.[0] === 'COMMIT');
  expect(commits).toHaveLength(1);
  expect(watch.mock.calls).toContainEqual([`PRAGMA synchronous = ${setting}`]);
  expect((commits[0] as DatabaseSync).prepare('PRAGMA synchronous').get()).toEqual({ synchronous });
});

test('a closed store says so and can be closed again', async () => {
  const table = openSqliteTable(newFile());
  await table.close();
  await table.close();
  const calls = [
    table.get({ pk: 'p', sk: 's' }),
    table.getMany([{ pk: 'p', sk: 's' }]),
    table.query({ pk: 'p' }),
    table.put({ pk: 'p', sk: 's', data: {} }),
    table.increment({ pk: 'p', sk: 's' }, 1, { volatile: true }),
    table.ping(),
  ];
  for (const { status, reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
    expect([status, reason]).toEqual(['rejected', expect.any(StoreUnavailable)]);
    expect(reason.message).toMatch(/^The store \S+ is unavailable: it is closed\.$/);
  }
});

test('expired entries are removed gradually by later writes, and other entries never', async () => {
  const file = newFile();
  let seconds = 1000;
  const table = open(file, { now: () => seconds * 1000 });
  const each = (count: number, write: (sk: string) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, i) => write(String(i))));
  await each(200, (sk) => table.put({ pk: 'expiring', sk: `item ${sk}`, data: {}, expires_at: 2000 }));
  await each(200, (sk) =>
    table.increment({ pk: 'expiring', sk: `count ${sk}` }, 1, { expires_at: 2000, volatile: true }),
  );
  await table.put({ pk: 'expiring', sk: 'item 7', data: {}, expires_at: 5000 });
  await table.put({ pk: 'expiring', sk: 'item 8', data: {} });
  await table.increment({ pk: 'expiring', sk: 'count 7' }, 1, { expires_at: 5000 });
  await table.increment({ pk: 'lasting', sk: 'count' }, 1);
  expect([rows(file, 'items').length, rows(file, 'counters').length]).toEqual([200, 201]);

  seconds = 3000;
  await each(64, (sk) => table.put({ pk: 'lasting', sk, data: {} }));
  expect(rows(file, 'items').length).toBeGreaterThan(64 + 2);
  await each(64, (sk) => table.put({ pk: 'lasting', sk, data: {} }));
  expect((await table.query({ pk: 'expiring' })).items.map(({ sk }) => sk)).toEqual(['item 7', 'item 8']);
  expect(rows(file, 'counters')).toEqual(['count', 'count 7']);
});

test('a page of the SQLite engine that ends with the last item is the last page', async () => {
  const table = open(newFile());
  for (const sk of ['a', 'b']) await table.put({ pk: 'p', sk, data: {} });
  for (const descending of [false, true]) {
    expect(await table.query({ pk: 'p', limit: 2, descending })).not.toHaveProperty('next');
  }
});

test('the SQLite engine gives the same page as the memory engine for any sort keys and query', async () => {
  const tables = [open(newFile()), new MemoryTable()] as const;
  const char = fc.constantFrom(
    'a',
    'b',
    '\u0000',
    '\u007f',
    'é',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '\u{10ffff}',
  );
  const sortKey = fc.string({ unit: char, minLength: 1, maxLength: 4 });
  const some = fc.option(sortKey, { nil: undefined });
  const query = fc.record({
    prefix: some,
    from: some,
    to: some,
    after: some,
    descending: fc.boolean(),
    limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  });
  let partition = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(sortKey, { minLength: 1, maxLength: 30 }),
      fc.array(query, { minLength: 5, maxLength: 20 }),
      async (sortKeys, queries) => {
        const pk = String(partition++);
        const writes = sortKeys.map((sk) => ({ put: { pk, sk, data: {} } }));
        for (const table of tables) await table.transact(writes);
        for (const wanted of queries) {
          const [page, expected] = await Promise.all(tables.map((table) => table.query({ pk, ...wanted })));
          expect(page?.items.map(({ sk }) => sk)).toEqual(expected?.items.map(({ sk }) => sk));
          expect(page?.next).toBe(expected?.next);
        }
      },
    ),
    { numRuns: 150 },
  );
});
