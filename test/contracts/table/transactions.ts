import { expect, test } from 'vitest';
import type { Table, Write } from '../../../adapters/store/table.ts';
import { newKey, newPk, stored, type Use } from './helpers.ts';

export const transactions = (use: Use, other: Use): void => {
  test('a transaction writes to several partitions', async () => {
    const [kept, replaced, removed, made] = [newKey(), newKey(), newKey(), newKey()];
    for (const key of [kept, replaced, removed]) await use().put({ ...key, data: { n: 1 } });
    const { version } = await stored(use(), kept);
    const before = await stored(use(), replaced);
    const done = await use().transact([
      { check: kept, condition: { version } },
      { put: { ...replaced, data: { n: 2 } }, condition: { version: before.version } },
      { remove: removed },
      { put: { ...made, data: { n: 2 }, expires_at: 4_102_444_800 }, condition: { absent: true } },
    ]);
    expect(done).toBe(true);
    const items = await use().getMany([kept, replaced, removed, made]);
    expect(items.map((item) => item?.data)).toEqual([{ n: 1 }, { n: 2 }, undefined, { n: 2 }]);
    expect(items[0]?.version).toBe(version);
    expect(items[1]?.version).not.toBe(before.version);
    expect(items[3]?.expires_at).toBe(4_102_444_800);
  });

  test.each<[string, (there: string, version: string) => Write]>([
    ['put', (sk) => ({ put: { pk: '', sk, data: {} }, condition: { absent: true } })],
    ['put', (sk) => ({ put: { pk: '', sk, data: {} }, condition: { version: 'never given' } })],
    ['remove', (sk) => ({ remove: { pk: '', sk }, condition: { version: 'never given' } })],
    ['remove', (sk) => ({ remove: { pk: '', sk }, condition: { absent: true } })],
    ['check', (sk) => ({ check: { pk: '', sk }, condition: { absent: true } })],
    ['check', (sk) => ({ check: { pk: '', sk }, condition: { version: 'never given' } })],
    ['check', (_, version) => ({ check: { pk: '', sk: 'missing' }, condition: { version } })],
  ])('a transaction writes nothing when the condition of one %s fails, at any position', async (_, make) => {
    const pk = newPk();
    for (const position of [0, 1, 2]) {
      await use().put({ pk, sk: 'there', data: { n: 1 } });
      await use().put({ pk, sk: 'also there', data: { n: 1 } });
      const before = await use().query({ pk });
      const writes: Write[] = [
        { put: { pk, sk: `new ${position}`, data: {} }, condition: { absent: true } },
        { remove: { pk, sk: 'also there' } },
      ];
      writes.splice(position, 0, inPartition(pk, make('there', (await stored(use(), { pk, sk: 'there' })).version)));
      expect(await use().transact(writes)).toBe(false);
      expect(await use().query({ pk })).toEqual(before);
    }
  });

  test('a transaction of a single check reports whether it succeeds', async () => {
    const key = newKey();
    expect(await use().transact([{ check: key, condition: { absent: true } }])).toBe(true);
    await use().put({ ...key, data: {} });
    const { version } = await stored(use(), key);
    expect(await use().transact([{ check: key, condition: { absent: true } }])).toBe(false);
    expect(await use().transact([{ check: key, condition: { version } }])).toBe(true);
    expect((await stored(use(), key)).version).toBe(version);
  });

  test('exactly one of several simultaneous transactions on the same versions succeeds, as a whole', async () => {
    const [one, two] = [newKey(), newKey()];
    for (const key of [one, two]) await use().put({ ...key, data: { by: 'nobody' } });
    const [first, second] = [await stored(use(), one), await stored(use(), two)];
    const attempt = (by: number) => {
      const writes: Write[] = [
        { put: { ...one, data: { by } }, condition: { version: first.version } },
        { put: { ...two, data: { by } }, condition: { version: second.version } },
      ];
      return use().transact(by % 2 === 0 ? writes : writes.reverse());
    };
    const done = await Promise.all(Array.from({ length: 10 }, (_, by) => attempt(by)));
    expect(done.filter(Boolean)).toHaveLength(1);
    const by = done.indexOf(true);
    expect((await use().getMany([one, two])).map((item) => item?.data)).toEqual([{ by }, { by }]);
  });

  test('simultaneous transactions on the same keys, in any order, all succeed, and the items of one of them remain', async () => {
    const keys = Array.from({ length: 10 }, newKey);
    const write = (table: Table, by: number): Promise<boolean> => {
      const writes = keys.map((_, i): Write => {
        const key = keys[(i * 3 + by) % keys.length] as (typeof keys)[number];
        return { put: { ...key, data: { by } } };
      });
      return table.transact(by % 2 === 0 ? writes : writes.reverse());
    };
    for (let round = 0; round < 8; round++) {
      const done = Array.from({ length: 6 }, (_, i) => write(i % 3 === 0 ? other() : use(), round * 6 + i));
      expect(await Promise.all(done)).toEqual(Array(6).fill(true));
      const left = (await use().getMany(keys)).map((item) => (item?.data as { by: number }).by);
      expect(new Set(left).size).toBe(1);
    }
  });

  test('a removal and a put that race with a transaction leave complete items, of one or the other', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, two] = [newKey(), newKey()];
      const absent = { absent: true } as const;
      const writes = (by: string): Write[] =>
        [one, two].map((key) => ({ put: { ...key, data: { by } }, condition: absent }));
      const [whole, single] = await Promise.all([
        use().transact(writes('transaction')),
        other().put({ ...two, data: { by: 'put' } }, absent),
      ]);
      expect(whole).not.toBe(single);
      const left = (await use().getMany([one, two])).map((item) => (item?.data as { by: string } | undefined)?.by);
      expect(left).toEqual(whole ? ['transaction', 'transaction'] : [undefined, 'put']);
    }
  });
};

const inPartition = (pk: string, write: Write): Write => {
  if ('put' in write) return { ...write, put: { ...write.put, pk } };
  if ('remove' in write) return { ...write, remove: { ...write.remove, pk } };
  return { ...write, check: { ...write.check, pk } };
};
