import { expect, test } from 'vitest';
import { ItemTooLarge, type Key, type Table, type Write } from '../../../adapters/store/table.ts';
import { newKey, newPk, stored, type Use } from './helpers.ts';

/** A string of `bytes` bytes in UTF-8, of three-byte characters, padded with one-byte ones. */
const text = (bytes: number): string => '한'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3);

/** Data that take `bytes` bytes as JSON. */
const data = (bytes: number): object => ({ text: text(bytes - '{"text":""}'.length) });

/** A partition key of `bytes` bytes that no other test uses. */
const longPk = (bytes: number): string => {
  const pk = newPk();
  return pk + text(bytes - pk.length);
};

/** Every call that takes a key. */
const CALLS: readonly [string, (table: Table, key: Key) => Promise<unknown>][] = [
  ['get', (table, key) => table.get(key)],
  ['getMany', (table, key) => table.getMany([newKey(), key])],
  ['put', (table, key) => table.put({ ...key, data: {} })],
  ['remove', (table, key) => table.remove(key)],
  ['increment', (table, key) => table.increment(key, 1)],
  ['put in a transaction', (table, key) => table.transact([{ put: { ...key, data: {} } }])],
  ['remove in a transaction', (table, key) => table.transact([{ remove: key }])],
  ['check', (table, key) => table.transact([{ check: key, condition: { absent: true } }])],
];

export const limits = (use: Use): void => {
  test('an item with 400,000 bytes of data under keys of 1000 bytes fits', async () => {
    const key = { pk: longPk(1000), sk: text(1000) };
    expect(await use().put({ ...key, data: data(400_000) })).toBe(true);
    expect((await stored(use(), key)).data).toEqual(data(400_000));
    expect((await use().query({ pk: key.pk })).items).toEqual([await stored(use(), key)]);
    expect(await use().transact([{ put: { ...key, data: data(400_000) } }])).toBe(true);
  });

  test('an item with more than 400,000 bytes of data is refused and nothing is written', async () => {
    const [key, other] = [newKey(), newKey()];
    const writes: Write[] = [{ put: { ...other, data: {} } }, { put: { ...key, data: data(400_001) } }];
    await expect(use().put({ ...key, data: data(400_001) })).rejects.toBeInstanceOf(ItemTooLarge);
    await expect(use().transact(writes)).rejects.toBeInstanceOf(ItemTooLarge);
    expect(await use().getMany([key, other])).toEqual([undefined, undefined]);
  });

  test.each(CALLS)('the operation %s refuses keys of more than 1000 bytes', async (_, call) => {
    await expect(call(use(), { pk: longPk(1001), sk: 'item' })).rejects.toBeInstanceOf(ItemTooLarge);
    await expect(call(use(), { pk: newPk(), sk: text(1001) })).rejects.toBeInstanceOf(ItemTooLarge);
  });

  test.each(CALLS)('the operation %s refuses empty keys', async (_, call) => {
    await expect(call(use(), { pk: '', sk: 'item' })).rejects.toBeInstanceOf(Error);
    await expect(call(use(), { pk: newPk(), sk: '' })).rejects.toBeInstanceOf(Error);
  });

  test.each(CALLS)('the operation %s refuses keys with half of a surrogate pair', async (_, call) => {
    await expect(call(use(), { pk: `${newPk()}\ud83d`, sk: 'item' })).rejects.toBeInstanceOf(Error);
    await expect(call(use(), { pk: newPk(), sk: '\ude00' })).rejects.toBeInstanceOf(Error);
  });

  test('a query refuses an empty partition key and a limit outside 1 to 1000', async () => {
    await expect(use().query({ pk: '' })).rejects.toBeInstanceOf(Error);
    for (const limit of [0, -1, 1.5, 1001]) {
      await expect(use().query({ pk: newPk(), limit })).rejects.toBeInstanceOf(Error);
    }
  });

  test('a read takes up to 100 keys and refuses 101 keys or a duplicate key', async () => {
    const pk = newPk();
    const keys = Array.from({ length: 101 }, (_, i): Key => ({ pk, sk: String(i) }));
    await use().put({ pk, sk: '99', data: { n: 99 } });
    expect((await use().getMany(keys.slice(0, 100))).map((item) => item?.data)).toEqual([...Array(99), { n: 99 }]);
    await expect(use().getMany(keys)).rejects.toThrow('100');
    await expect(use().getMany([{ pk, sk: '1' }, newKey(), { pk, sk: '1' }])).rejects.toBeInstanceOf(Error);
  });

  test('a transaction takes up to 100 writes and refuses none or 101', async () => {
    const [pk, other] = [newPk(), newPk()];
    const writes = (partition: string, count: number): Write[] =>
      Array.from({ length: count }, (_, i) => ({ put: { pk: partition, sk: String(i), data: { i } } }));
    expect(await use().transact(writes(pk, 100))).toBe(true);
    expect((await use().query({ pk, limit: 1000 })).items).toHaveLength(100);
    await expect(use().transact(writes(other, 101))).rejects.toThrow('100');
    await expect(use().transact([])).rejects.toBeInstanceOf(Error);
    expect((await use().query({ pk: other })).items).toEqual([]);
  });

  test('a transaction takes items of almost 4 MB together', async () => {
    const pk = newPk();
    const writes = Array.from({ length: 10 }, (_, i): Write => ({ put: { pk, sk: `${i}`, data: data(399_000) } }));
    expect(await use().transact(writes)).toBe(true);
    const items = await use().getMany(writes.map((_, i) => ({ pk, sk: `${i}` })));
    expect(items.map((item) => JSON.stringify(item?.data).length > 100_000)).toEqual(Array(10).fill(true));
  });

  test('a transaction refuses to touch a key twice in any way', async () => {
    const key = newKey();
    const put: Write = { put: { ...key, data: {} } };
    const seconds: readonly Write[] = [put, { remove: key }, { check: key, condition: { absent: true } }];
    for (const second of seconds) await expect(use().transact([put, second])).rejects.toBeInstanceOf(Error);
    expect(await use().get(key)).toBeUndefined();
  });

  test('an expiry or an increment that is not a safe whole number is refused', async () => {
    const key = newKey();
    for (const wrong of [1.5, Number.NaN, 2 ** 53]) {
      await expect(use().put({ ...key, data: {}, expires_at: wrong })).rejects.toBeInstanceOf(Error);
      await expect(use().increment(key, wrong)).rejects.toBeInstanceOf(Error);
      await expect(use().increment(key, 1, { expires_at: wrong })).rejects.toBeInstanceOf(Error);
    }
    expect(await use().get(key)).toBeUndefined();
  });
};
