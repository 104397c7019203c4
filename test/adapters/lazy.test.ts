import { expect, test } from 'vitest';
import { lazy } from '../../adapters/system/loading.ts';

test('a lazy value is loaded once for all callers, by the first call', async () => {
  let loads = 0;
  const value = lazy(async () => {
    loads += 1;
    return loads;
  });
  expect(loads).toBe(0);
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(await value()).toBe(1);
});

test('a failed load is reported to its waiting callers and tried again by the next call', async () => {
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
