import { expect, test } from 'vitest';
import { ConcurrencyLimit } from '../../adapters/host/concurrency-limit.ts';

test('an owner runs at most the allowed number of tasks, and another starts when one ends', () => {
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

test('all owners together run at most the total number of tasks', () => {
  const limit = new ConcurrencyLimit({ all: 4, ofOwner: 2 });
  const begun = ['a', 'b', 'c', 'd', 'e'].map((owner) => limit.begin(owner));
  expect(begun.map((end) => end !== undefined)).toEqual([true, true, true, true, false]);
  begun[3]?.();
  expect(limit.begin('e')).toBeDefined();
});
