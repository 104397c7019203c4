import { expect, test } from 'vitest';
import type { Item } from '../../../adapters/store/table.ts';
import { newKey, stored, type Use } from './helpers.ts';

/** The data in these tests. */
type Listed = { n: number; list: unknown[] };

/** Tries to change an item, which may be frozen. */
const tamper = (item: Item | undefined): void => {
  const attempts = [
    () => Object.assign(item as object, { version: 'tampered', expires_at: 1 }),
    () => Object.assign(item?.data as object, { n: 'tampered', added: true }),
    () => (item?.data as Listed).list.push('tampered'),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
    }
  }
};

export const isolation = (use: Use): void => {
  test('changing the input after a put changes nothing stored', async () => {
    const [key, other] = [newKey(), newKey()];
    const [item, written] = [
      { ...key, data: { n: 1, list: ['a'] } },
      { ...other, data: { n: 1, list: ['a'] } },
    ];
    const done = [use().put(item), use().transact([{ put: written }])];
    for (const input of [item, written]) {
      input.data.n = 2;
      input.data.list.push('b');
      input.sk = 'other';
    }
    expect(await Promise.all(done)).toEqual([true, true]);
    for (const input of [item, written]) input.data.list.push('c');
    expect((await stored(use(), key)).data).toEqual({ n: 1, list: ['a'] });
    expect((await stored(use(), other)).data).toEqual({ n: 1, list: ['a'] });
  });

  test('changing an item that a read returned changes nothing stored', async () => {
    const key = newKey();
    await use().put({ ...key, data: { n: 1, list: ['a'] } });
    const before = structuredClone(await stored(use(), key));
    tamper(await use().get(key));
    tamper((await use().getMany([key]))[0]);
    tamper((await use().query({ pk: key.pk })).items[0]);
    expect(await use().get(key)).toEqual(before);
    expect(await use().getMany([key])).toEqual([before]);
    expect((await use().query({ pk: key.pk })).items).toEqual([before]);
  });

  test('a later write does not change an item that was read before', async () => {
    const key = newKey();
    await use().put({ ...key, data: { n: 1, list: [] } });
    const [item, page] = [await stored(use(), key), await use().query({ pk: key.pk })];
    const copies = structuredClone([item, page]);
    await use().put({ ...key, data: { n: 2, list: [2] } });
    await use().remove(key);
    expect([item, page]).toEqual(copies);
  });
};
