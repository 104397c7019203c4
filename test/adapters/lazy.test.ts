import { expect, test } from 'vitest';
import { lazy } from '../../adapters/system/loading.ts';

test('a late value is loaded once, with the first call, for all callers', async () => {
  let loads = 0;
  const value = lazy(async () => {
    loads += 1;
    return loads;
  });
  expect(loads).toBe(0);
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(await value()).toBe(1);
});

test('a load that fails is told to those who wait for it, and tried again by the next call', async () => {
  let loads = 0;
  const value = lazy(async () => {
    loads += 1;
    if (loads === 1) throw new Error('The disk is gone.');
    return loads;
  });
  const [one, two] = await Promise.allSettled([value(), value()]);
  expect([one.status, two.status]).toEqual(['rejected', 'rejected']);
  expect(await value()).toBe(2);
});
