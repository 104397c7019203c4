import { expect, test } from 'vitest';
import type { Key, Table } from '../../../adapters/store/table.ts';
import { newKey, stored, type Use } from './helpers.ts';

const INCREMENTS = 20;

/** Adds one to `n`, and retries whenever another write came in between. */
const incrementOptimistically = async (table: Table, key: Key): Promise<void> => {
  for (let attempt = 0; attempt < INCREMENTS; attempt++) {
    const { data, version } = await stored(table, key);
    if (await table.put({ ...key, data: { n: (data as { n: number }).n + 1 } }, { version })) return;
  }
  throw new Error('Others came in between more often than there are others.');
};

export const conditions = (use: Use, other: Use): void => {
  test('a put that requires absence succeeds once', async () => {
    const key = newKey();
    expect(await use().put({ ...key, data: { n: 1 } }, { absent: true })).toBe(true);
    expect(await use().put({ ...key, data: { n: 2 } }, { absent: true })).toBe(false);
    expect((await stored(use(), key)).data).toEqual({ n: 1 });
  });

  test('exactly one of several simultaneous puts that require absence succeeds', async () => {
    for (let round = 0; round < 10; round++) {
      const key = newKey();
      const put = (n: number) => (n % 2 === 0 ? use() : other()).put({ ...key, data: { n } }, { absent: true });
      const done = await Promise.all(Array.from({ length: 20 }, (_, n) => put(n)));
      expect(done.filter(Boolean)).toHaveLength(1);
      expect((await stored(use(), key)).data).toEqual({ n: done.indexOf(true) });
    }
  });

  test('exactly one of several simultaneous writes on the same version succeeds, whether it puts or removes', async () => {
    for (let round = 0; round < 10; round++) {
      const key = newKey();
      await use().put({ ...key, data: { n: -1 } });
      const { version } = await stored(use(), key);
      const write = (n: number) => {
        const table = n % 4 < 2 ? use() : other();
        return n % 2 === 0 ? table.put({ ...key, data: { n } }, { version }) : table.remove(key, { version });
      };
      const done = await Promise.all(Array.from({ length: 12 }, (_, n) => write((n + round) % 12)));
      expect(done.filter(Boolean)).toHaveLength(1);
      const winner = (done.indexOf(true) + round) % 12;
      expect((await use().get(key))?.data).toEqual(winner % 2 === 0 ? { n: winner } : undefined);
    }
  });

  test('a put on a version succeeds only for that version', async () => {
    const key = newKey();
    await use().put({ ...key, data: { n: 1 } });
    const { version } = await stored(use(), key);
    expect(await use().put({ ...key, data: { n: 2 } }, { version })).toBe(true);
    expect(await use().put({ ...key, data: { n: 3 } }, { version })).toBe(false);
    expect(await use().put({ ...key, data: { n: 4 } }, { version: 'never given' })).toBe(false);
    expect((await stored(use(), key)).data).toEqual({ n: 2 });
  });

  test('a put on a version does not create a missing item', async () => {
    const [key, other] = [newKey(), newKey()];
    await use().put({ ...other, data: {} });
    const { version } = await stored(use(), other);
    expect(await use().put({ ...key, data: {} }, { version })).toBe(false);
    expect(await use().get(key)).toBeUndefined();
  });

  test('a version of one item is not valid for another item', async () => {
    const [key, other] = [newKey(), newKey()];
    for (const { pk, sk } of [key, other]) await use().put({ pk, sk, data: {} });
    expect(await use().put({ ...key, data: {} }, { version: (await stored(use(), other)).version })).toBe(false);
  });

  test('a removal on a condition succeeds only while the condition holds', async () => {
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

  test('a version from before an item was removed and created again is invalid', async () => {
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

  test('an item never gets the same version twice, whatever is written and removed', async () => {
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

  test(`${INCREMENTS} simultaneous increments, each on the version that it read, all count`, async () => {
    const key = newKey();
    await use().put({ ...key, data: { n: 0 } });
    await Promise.all(Array.from({ length: INCREMENTS }, () => incrementOptimistically(use(), key)));
    expect((await stored(use(), key)).data).toEqual({ n: INCREMENTS });
  });
};
