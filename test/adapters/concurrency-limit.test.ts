import { expect, test } from 'vitest';
import { ConcurrencyLimit } from '../../adapters/host/concurrency-limit.ts';

test('an owner begins no more works than it may have at once, and one more with each that ends', () => {
  const limit = new ConcurrencyLimit({ all: 4, ofOwner: 2 });
  const [first] = [limit.begin('a'), limit.begin('a')];
  expect(limit.begin('a')).toBeUndefined();
  expect(limit.begin('b')).toBeDefined();
  first?.();
  expect(limit.running).toBe(2);
  expect(limit.begin('a')).toBeDefined();
  expect(limit.begin('a')).toBeUndefined();
  expect(limit.running).toBe(3);
});

test('all owners together begin no more works than the bound of all', () => {
  const limit = new ConcurrencyLimit({ all: 4, ofOwner: 2 });
  const begun = ['a', 'b', 'c', 'd', 'e'].map((owner) => limit.begin(owner));
  expect(begun.map((end) => end !== undefined)).toEqual([true, true, true, true, false]);
  begun[3]?.();
  expect(limit.begin('e')).toBeDefined();
});
