import { expect, test } from 'vitest';
import { newKey, newPk, type Use, VARIANTS } from './helpers.ts';

const AT_ONCE = 50;

export const counters = (use: Use): void => {
  test('a counter starts at 0 and returns its sum', async () => {
    const key = newKey();
    expect(await use().increment(key, 1)).toBe(1);
    expect(await use().increment(key, 41)).toBe(42);
    expect(await use().increment(key, -2)).toBe(40);
    expect(await use().increment(key, 0)).toBe(40);
  });

  test('a hurried increment counts like any other', async () => {
    const key = newKey();
    await use().increment(key, 1);
    expect(await use().increment(key, 1, { volatile: true, hurried: true })).toBe(2);
  });

  test('each key has its own counter', async () => {
    const pk = newPk();
    await use().increment({ pk, sk: 'a' }, 5);
    expect(await use().increment({ pk, sk: 'b' }, 1)).toBe(1);
    expect(await use().increment({ ...newKey(), sk: 'a' }, 1)).toBe(1);
  });

  test('the keys of counters that differ in any character are kept apart', async () => {
    const pk = newPk();
    const keys = VARIANTS.flatMap((variant) => [
      { pk, sk: variant },
      { pk: `${pk}${variant}`, sk: 'x' },
    ]);
    for (const [i, key] of keys.entries()) await use().increment(key, i + 1);
    for (const [i, key] of keys.entries()) expect([key, await use().increment(key, 0)]).toEqual([key, i + 1]);
  });

  test('a counter is exact up to the largest safe integers, in both directions', async () => {
    for (const sign of [1, -1]) {
      const key = newKey();
      for (const most of [2 ** 31 - 1, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER]) {
        const sum = await use().increment(key, 0);
        expect(await use().increment(key, sign * (most - 1) - sum)).toBe(sign * (most - 1));
        expect(await use().increment(key, sign)).toBe(sign * most);
      }
      expect(await use().increment(key, -sign * Number.MAX_SAFE_INTEGER)).toBe(0);
    }
  });

  test('an increment with another expiry, or none, continues the sum', async () => {
    const key = newKey();
    const inAnHour = Math.floor(Date.now() / 1000) + 3600;
    for (const [i, options] of [{}, { expires_at: inAnHour }, {}, { expires_at: inAnHour + 60 }, {}].entries()) {
      expect(await use().increment(key, 1, { ...options, volatile: i % 2 === 1 })).toBe(i + 1);
    }
  });

  test('a counter is not among the items of its partition', async () => {
    const pk = newPk();
    await use().increment({ pk, sk: 'counter' }, 1);
    await use().put({ pk, sk: 'item', data: {} });
    expect((await use().query({ pk })).items.map(({ sk }) => sk)).toEqual(['item']);
  });

  test.each([
    false,
    true,
  ])('simultaneous increments all count, and each returns a distinct sum (volatile: %s)', async (volatile) => {
    const key = newKey();
    const one = () => use().increment(key, 1, { volatile, expires_at: 4_102_444_800 });
    const sums = await Promise.all(Array.from({ length: AT_ONCE }, one));
    expect(sums.toSorted((a, b) => a - b)).toEqual(Array.from({ length: AT_ONCE }, (_, i) => i + 1));
  });

  test('volatile and other increments add to the same counter', async () => {
    const key = newKey();
    await use().increment(key, 1, { volatile: true });
    await use().increment(key, 2);
    expect(await use().increment(key, 4, { volatile: true })).toBe(7);
  });
};
