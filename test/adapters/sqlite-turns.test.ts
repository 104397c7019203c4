import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteTable, type SqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { newFile, open } from './sqlite/folder.ts';

/** Locks the file as another process does, and returns a function that unlocks it. */
const lock = (file: string): (() => void) => {
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
};

/** Ticks until the test ends. Returns a function for the longest pause between two ticks in milliseconds. */
const pauses = (): (() => number) => {
  let [longest, last] = [0, performance.now()];
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  onTestFinished(() => clearInterval(timer));
  return () => {
    tick();
    return longest;
  };
};

test('while another process briefly locks the file, the first write waits and the event loop continues', async () => {
  const file = newFile();
  const table = open(file);
  const free = lock(file);
  const longestPause = pauses();
  const since = performance.now();
  const order: string[] = [];
  const written = table.put({ pk: 'p', sk: 's', data: { n: 1 } }).then(() => order.push('the write'));
  await setTimeout(100);
  expect(await table.get({ pk: 'p', sk: 's' })).toBeUndefined();
  order.push('the end of the lock');
  free();
  await written;
  expect(longestPause()).toBeLessThan(1000);
  expect(performance.now() - since).toBeLessThan(2000);
  expect(order).toEqual(['the end of the lock', 'the write']);
  expect((await table.get({ pk: 'p', sk: 's' }))?.data).toEqual({ n: 1 });
});

test('a later write waits longer for a lock', async () => {
  const file = newFile();
  const table = open(file, { busyTimeoutMs: 1000 });
  const free = lock(file);
  const first = table.put({ pk: 'p', sk: 'first', data: {} }).catch((error: unknown) => error);
  await setTimeout(500);
  const second = table.put({ pk: 'p', sk: 'second', data: {} });
  expect(await first).toBeInstanceOf(StoreUnavailable);
  free();
  expect(await second).toBe(true);
  expect((await table.query({ pk: 'p' })).items.map(({ sk }) => sk)).toEqual(['second']);
});

test('closing a store waits for writes that another process blocks', async () => {
  const file = newFile();
  const table = openSqliteTable(file);
  const free = lock(file);
  const longestPause = pauses();
  const written = table.put({ pk: 'p', sk: 'last', data: {} });
  const closed = table.close();
  await setTimeout(20);
  free();
  await closed;
  expect(longestPause()).toBeLessThan(1000);
  expect(await written).toBe(true);
  expect(await open(file).get({ pk: 'p', sk: 'last' })).toBeDefined();
});

describe('a tick with an invalid write', () => {
  const large = { pk: 'p', sk: 'large' };
  const faulty = async (table: SqliteTable) => {
    await table.increment(large, Number.MAX_SAFE_INTEGER);
    await table.increment(large, 1);
    return () => table.increment(large, 1);
  };
  const count = (table: SqliteTable) => table.increment({ pk: 'p', sk: 'rate' }, 1, { volatile: true });

  test('only the invalid write fails, and each other write happens once', async () => {
    const table = open(newFile());
    const fault = await faulty(table);
    const done = await Promise.allSettled([
      table.put({ pk: 'p', sk: 's', data: { n: 1 } }, { absent: true }),
      count(table),
      fault(),
      table.put({ pk: 'p', sk: 's', data: { n: 2 } }, { absent: true }),
      count(table),
    ]);
    expect(done.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code))).toEqual([
      true,
      1,
      'ERR_OUT_OF_RANGE',
      false,
      2,
    ]);
    expect((await table.get({ pk: 'p', sk: 's' }))?.data).toEqual({ n: 1 });
    expect(await count(table)).toBe(3);
  });

  test('the other writes wait for another process’s lock before they are repeated', async () => {
    const file = newFile();
    const table = open(file);
    const fault = await faulty(table);
    const { exec } = DatabaseSync.prototype;
    let free: (() => void) | undefined;
    const watch = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      exec.call(this, sql);
      if (sql === 'ROLLBACK') free ??= lock(file);
    });
    onTestFinished(() => watch.mockRestore());
    const calls = Promise.allSettled([table.put({ pk: 'p', sk: 's', data: {} }), fault(), count(table)]);
    await vi.waitUntil(() => free);
    const later = table.put({ pk: 'p', sk: 'later', data: {} });
    await setTimeout(20);
    free?.();
    expect((await calls).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await later).toBe(true);
    expect((await table.query({ pk: 'p' })).items.map(({ sk }) => sk)).toEqual(['later', 's']);
  });

  test('a failed rollback blocks no call, and nothing of its transaction is stored', async () => {
    const file = newFile();
    const table = open(file);
    const fault = await faulty(table);
    const { exec } = DatabaseSync.prototype;
    let failures = 1;
    const watch = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      if (sql === 'ROLLBACK' && failures-- > 0) throw new Error('No rollback.');
      exec.call(this, sql);
    });
    onTestFinished(() => watch.mockRestore());
    await expect(fault()).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
    await expect(count(table)).rejects.toThrow('inside a transaction');
    expect(await count(table)).toBe(1);

    failures = 1;
    const statuses = (await Promise.allSettled([count(table), fault(), count(table)])).map(({ status }) => status);
    expect(statuses).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await open(file).increment({ pk: 'p', sk: 'rate' }, 1)).toBe(3);
  });
});
