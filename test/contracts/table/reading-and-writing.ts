import { expect, test } from 'vitest';
import { newKey, newPk, stored, type Use, VARIANTS } from './helpers.ts';

const DATA = {
  text: 'Grüße, 한국어, 😀, "quotes", \\, line\nbreak, \u0000',
  empty: '',
  numbers: [0, -1, 0.1, 1e15, Number.MAX_SAFE_INTEGER],
  truth: [true, false, null],
  nested: { list: [[], {}, [{ deep: { deeper: [1] } }]], '': 'no name', constructor: 'a name like any other' },
};

export const readingAndWriting = (use: Use): void => {
  test('an item is read as it was put, with a version', async () => {
    const key = newKey();
    expect(await use().put({ ...key, data: DATA })).toBe(true);
    expect(await use().get(key)).toEqual({ ...key, data: DATA, version: expect.stringMatching(/./) });
  });

  test('a key that was never put has no item', async () => {
    expect(await use().get(newKey())).toBeUndefined();
  });

  test('a read that need not be consistent returns the same kinds of results', async () => {
    const key = newKey();
    await use().put({ ...key, data: { n: 1 } });
    expect([undefined, { n: 1 }]).toContainEqual((await use().get(key, { consistent: false }))?.data);
    expect(await use().getMany([newKey()], { consistent: false })).toEqual([undefined]);
    expect(await use().query({ pk: newPk(), consistent: false })).toEqual({ items: [] });
  });

  test('undefined members are dropped at any depth', async () => {
    const key = newKey();
    await use().put({ ...key, data: { a: undefined, b: { c: undefined, d: 1 }, e: [{ f: undefined }] } });
    expect((await stored(use(), key)).data).toStrictEqual({ b: { d: 1 }, e: [{}] });
  });

  test('a put replaces the whole item', async () => {
    const key = newKey();
    await use().put({ ...key, data: { a: 1, b: { c: 2 } }, expires_at: 4_102_444_800 });
    await use().put({ ...key, data: { b: { d: 3 } } });
    expect(await use().get(key)).toStrictEqual({ ...key, data: { b: { d: 3 } }, version: expect.any(String) });
  });

  test('an expiry is read as it was put', async () => {
    const key = newKey();
    await use().put({ ...key, data: {}, expires_at: 4_102_444_800 });
    expect((await stored(use(), key)).expires_at).toBe(4_102_444_800);
  });

  test('a removed item is gone, and removing it again does no harm', async () => {
    const key = newKey();
    await use().put({ ...key, data: {} });
    expect(await use().remove(key)).toBe(true);
    expect(await use().get(key)).toBeUndefined();
    expect(await use().remove(key)).toBe(true);
  });

  test('keys that differ in any character are kept apart', async () => {
    const [pk, other] = [newPk(), newPk()];
    const keys = [
      ...VARIANTS.map((sk) => ({ pk, sk })),
      ...VARIANTS.map((variant) => ({ pk: `${pk}${variant}`, sk: 'x' })),
      { pk: `${pk}#a`, sk: 'b' },
      { pk: other, sk: 'a' },
    ];
    for (const [i, key] of keys.entries()) await use().put({ ...key, data: { i } });
    const items = await use().getMany(keys);
    expect(items.map((item) => item?.data)).toEqual(keys.map((_, i) => ({ i })));
    expect(items.map((item) => item && { pk: item.pk, sk: item.sk })).toEqual(keys);
    expect(await use().get({ pk, sk: 'b' })).toBeUndefined();
    for (const [i, key] of keys.entries()) {
      const found = (await use().query({ pk: key.pk })).items.filter(({ sk }) => sk === key.sk);
      expect(found.map(({ data }) => data)).toEqual([{ i }]);
    }
  });

  test('a read of several keys returns items in the order of the keys and undefined for a missing one', async () => {
    const [first, second, missing] = [newKey(), newKey(), newKey()];
    await use().put({ ...first, data: { n: 1 } });
    await use().put({ ...second, data: { n: 2 } });
    const items = await use().getMany([second, missing, { ...first, sk: 'other' }, first]);
    expect(items).toEqual([await stored(use(), second), undefined, undefined, await stored(use(), first)]);
  });

  test('a read of no keys returns no items', async () => {
    expect(await use().getMany([])).toEqual([]);
  });

  test('a table answers a ping', async () => {
    await expect(use().ping()).resolves.toBeUndefined();
  });
};
