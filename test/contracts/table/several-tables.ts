import { expect, test } from 'vitest';
import type { Table } from '../../../adapters/store/table.ts';
import { fill, newKey, newPk, sortKeys, stored, type Use } from './helpers.ts';

/** The tests of two tables on one store, like those of two processes. */
export const severalTables = (use: Use, other: Use, another: () => Promise<Table> | Table): void => {
  const opened = async <T>(work: (table: Table) => Promise<T>): Promise<T> => {
    const table = await another();
    try {
      return await work(table);
    } finally {
      await table.close();
    }
  };

  test('a read sees each write that another table acknowledged before', async () => {
    const key = newKey();
    for (let n = 0; n < 20; n++) {
      // Each table reads several times between its own writes.
      const [writer, reader] = n < 10 ? [use(), other()] : [other(), use()];
      await writer.put({ ...key, data: { n } });
      expect((await reader.get(key))?.data).toEqual({ n });
      expect((await reader.getMany([key]))[0]?.data).toEqual({ n });
      await fill(writer, key.pk, [`${n + 10}`]);
      expect((await sortKeys(reader, { pk: key.pk })).filter((sk) => sk === `${n + 10}`)).toHaveLength(1);
      await writer.remove({ ...key, sk: `${n + 10}` });
      expect(await reader.get({ ...key, sk: `${n + 10}` })).toBeUndefined();
    }
  });

  test('a version that one table read is valid once for a write of another', async () => {
    const key = newKey();
    await use().put({ ...key, data: { n: 1 } });
    const { version } = await stored(other(), key);
    expect(await use().put({ ...key, data: { n: 2 } }, { version })).toBe(true);
    expect(await other().put({ ...key, data: { n: 3 } }, { version })).toBe(false);
  });

  test('tables on one store never give a key the same version twice, not even after they were closed', async () => {
    const key = newKey();
    const versions: string[] = [];
    const write = async (table: Table): Promise<void> => {
      await table.remove(key);
      await table.put({ ...key, data: {} });
      versions.push((await stored(table, key)).version);
    };
    for (let i = 0; i < 4; i++) {
      await write(use());
      await write(other());
      await opened(write);
    }
    expect(new Set(versions).size).toBe(versions.length);
  });

  test('simultaneous increments of two tables all count', async () => {
    const key = newKey();
    const sums = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? use() : other()).increment(key, 1, { volatile: i % 4 > 1 })),
    );
    expect(sums.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  });

  test('writes that a closed table acknowledged are visible to a table opened later', async () => {
    const [key, counter, pk] = [newKey(), newKey(), newPk()];
    await opened(async (table) => {
      await table.put({ ...key, data: { n: 1 }, expires_at: 4_102_444_800 });
      await table.increment(counter, 41);
      await fill(table, pk, ['a', 'b', 'c']);
    });
    await opened(async (table) => {
      expect(await table.get(key)).toMatchObject({ data: { n: 1 }, expires_at: 4_102_444_800 });
      expect(await table.increment(counter, 1)).toBe(42);
      expect(await sortKeys(table, { pk })).toEqual(['a', 'b', 'c']);
    });
  });

  test('closing a table twice does no harm, to it or to others', async () => {
    await opened((table) => table.close());
    await use().ping();
    await other().ping();
  });
};
