import { expect, test } from 'vitest';
import type { Key, Table } from '../../../adapters/store/table.ts';
import { newKey, stored, type Use } from './helpers.ts';

const INCREMENTS = 50;

/** Adds one to `n` for as long as others come in between. */
const incrementOptimistically = async (table: Table, key: Key): Promise<void> => {
  for (let attempt = 0; attempt < INCREMENTS; attempt++) {
    const { data, version } = await stored(table, key);
    if (await table.put({ ...key, data: { n: data.n + 1 } }, { version })) return;
  }
  throw new Error('Others came in between more often than there are others.');
};

export const conditions = (use: Use): void => {
  test('what has to be absent is put once', async () => {
    const key = newKey();
    expect(await use().put({ ...key, data: { n: 1 } }, { absent: true })).toBe(true);
    expect(await use().put({ ...key, data: { n: 2 } }, { absent: true })).toBe(false);
    expect((await stored(use(), key)).data).toEqual({ n: 1 });
  });

  test('of many who put what has to be absent at once, one does', async () => {
    const key = newKey();
    const put = (n: number) => use().put({ ...key, data: { n } }, { absent: true });
    const done = await Promise.all(Array.from({ length: 20 }, (_, n) => put(n)));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect((await stored(use(), key)).data).toEqual({ n: done.indexOf(true) });
  });

  test('a put on a version holds for that version only', async () => {
    const key = newKey();
    await use().put({ ...key, data: { n: 1 } });
    const { version } = await stored(use(), key);
    expect(await use().put({ ...key, data: { n: 2 } }, { version })).toBe(true);
    expect(await use().put({ ...key, data: { n: 3 } }, { version })).toBe(false);
    expect(await use().put({ ...key, data: { n: 4 } }, { version: 'never given' })).toBe(false);
    expect((await stored(use(), key)).data).toEqual({ n: 2 });
  });

  test('a put on a version makes no item where there is none', async () => {
    const [key, other] = [newKey(), newKey()];
    await use().put({ ...other, data: {} });
    const { version } = await stored(use(), other);
    expect(await use().put({ ...key, data: {} }, { version })).toBe(false);
    expect(await use().get(key)).toBeUndefined();
  });

  test('a version of one item is none of another', async () => {
    const [key, other] = [newKey(), newKey()];
    for (const { pk, sk } of [key, other]) await use().put({ pk, sk, data: {} });
    expect(await use().put({ ...key, data: {} }, { version: (await stored(use(), other)).version })).toBe(false);
  });

  test('a remove holds only for the version it names', async () => {
    const key = newKey();
    await use().put({ ...key, data: { n: 1 } });
    const { version } = await stored(use(), key);
    await use().put({ ...key, data: { n: 2 } });
    expect(await use().remove(key, { version })).toBe(false);
    expect(await use().remove(key, { absent: true })).toBe(false);
    const current = await stored(use(), key);
    expect(current.data).toEqual({ n: 2 });
    expect(await use().remove(key, { version: current.version })).toBe(true);
    expect(await use().remove(key, { version: current.version })).toBe(false);
    expect(await use().remove(key, { absent: true })).toBe(true);
  });

  test('a version from before an item was removed and made again does not hold', async () => {
    const key = newKey();
    await use().put({ ...key, data: { n: 1 } });
    const { version } = await stored(use(), key);
    await use().remove(key);
    await use().put({ ...key, data: { n: 1 } }, { absent: true });
    expect(await use().put({ ...key, data: { n: 2 } }, { version })).toBe(false);
    expect(await use().remove(key, { version })).toBe(false);
    expect(await use().transact([{ check: key, condition: { version } }])).toBe(false);
    expect((await stored(use(), key)).data).toEqual({ n: 1 });
  });

  test('no version of an item is given twice, whatever is written and removed', async () => {
    const key = newKey();
    const versions = new Set<string>();
    for (let i = 0; i < 30; i++) {
      if (i % 3 === 0) await use().remove(key);
      if (i % 2 === 0) await use().put({ ...key, data: { same: true } });
      else await use().transact([{ put: { ...key, data: { same: true } } }]);
      versions.add((await stored(use(), key)).version);
    }
    expect(versions.size).toBe(30);
  });

  test(`${INCREMENTS} who each add one at once, on the version they read, lose none`, async () => {
    const key = newKey();
    await use().put({ ...key, data: { n: 0 } });
    await Promise.all(Array.from({ length: INCREMENTS }, () => incrementOptimistically(use(), key)));
    expect((await stored(use(), key)).data).toEqual({ n: INCREMENTS });
  });
};
