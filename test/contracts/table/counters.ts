import { expect, test } from 'vitest';
import { newKey, newPk, type Use } from './helpers.ts';

const AT_ONCE = 50;

export const counters = (use: Use): void => {
  test('a counter starts at 0 and returns its sum', async () => {
    const key = newKey();
    expect(await use().increment(key, 1)).toBe(1);
    expect(await use().increment(key, 41)).toBe(42);
    expect(await use().increment(key, -2)).toBe(40);
    expect(await use().increment(key, 0)).toBe(40);
  });

  test('each key has a counter of its own', async () => {
    const pk = newPk();
    await use().increment({ pk, sk: 'a' }, 5);
    expect(await use().increment({ pk, sk: 'b' }, 1)).toBe(1);
    expect(await use().increment({ ...newKey(), sk: 'a' }, 1)).toBe(1);
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
  ])('simultaneous increments all count and each returns a sum of its own (volatile: %s)', async (volatile) => {
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
