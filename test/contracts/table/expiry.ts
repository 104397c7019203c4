import { expect, test } from 'vitest';
import type { Key, Write } from '../../../adapters/store/table.ts';
import { newKey, newPk, type Use } from './helpers.ts';

/** More writes than an engine does before it checks for expired rows. */
const WRITES = 300;

const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

/** In the distant past for every engine; 0 and moments before 1970 are past too. */
const PAST = [1_000_000_000, 1, 0, -1];

export const expiry = (use: Use): void => {
  test('nothing is deleted before its expiry, or without one, however much is written', async () => {
    const pk = newPk();
    const expiries = [undefined, inAnHour(), inAnHour() + 86_400, 4_102_444_800, 253_402_300_800];
    for (const [i, expires_at] of expiries.entries()) {
      await use().put({ pk, sk: `put-${i}`, data: {}, expires_at });
      await use().transact([{ put: { pk, sk: `transact-${i}`, data: {}, expires_at } }]);
      await use().increment({ pk, sk: `counter-${i}` }, 1, expires_at === undefined ? {} : { expires_at });
    }
    const before = (await use().query({ pk })).items;
    for (let i = 0; i < WRITES; i += 100) {
      const writes = Array.from({ length: 100 }, (_, n): Write => ({ put: { ...newKey(), data: { n } } }));
      await Promise.all(writes.map((write) => use().transact([write])));
    }
    expect((await use().query({ pk })).items).toEqual(before);
    expect(before).toHaveLength(2 * expiries.length);
    for (const i of expiries.keys()) expect(await use().increment({ pk, sk: `counter-${i}` }, 0)).toBe(1);
  });

  test.each(
    PAST,
  )('an expired item is visible to reads and conditions alike, or to neither (%i)', async (expires_at) => {
    /** True if the engine kept the item during the check of its conditions, or had deleted it before. */
    const isShown = async (key: Key): Promise<boolean> => {
      await use().put({ ...key, data: {}, expires_at });
      const before = await use().get(key);
      const isAbsent = await use().transact([{ check: key, condition: { absent: true } }]);
      if (!before) {
        expect(isAbsent).toBe(true);
        return true;
      }
      const isSame = await use().transact([{ check: key, condition: { version: before.version } }]);
      const [after] = (await use().query({ pk: key.pk })).items;
      if (!after) return false;
      expect([after, isAbsent, isSame]).toEqual([before, false, true]);
      return true;
    };
    const shown: boolean[] = [];
    for (let i = 0; i < 5; i++) shown.push(await isShown(newKey()));
    expect(shown).toContain(true);
  });

  test('a put over an expired item makes an item with the new expiry', async () => {
    const key = newKey();
    for (const expires_at of [inAnHour(), undefined]) {
      await use().put({ ...key, data: { n: 1 }, expires_at: 1 });
      await use().put({ ...key, data: { n: 2 }, expires_at });
      const item = await use().get(key);
      expect([item?.data, item?.expires_at]).toEqual([{ n: 2 }, expires_at]);
    }
  });

  test('an expired item can be removed', async () => {
    const key = newKey();
    await use().put({ ...key, data: {}, expires_at: 1 });
    expect(await use().remove(key)).toBe(true);
    expect(await use().get(key)).toBeUndefined();
    expect(await use().put({ ...key, data: {} }, { absent: true })).toBe(true);
  });
};
