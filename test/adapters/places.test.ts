import { expect, test } from 'vitest';
import { Places } from '../../adapters/host/concurrency-limit.ts';

test('an owner takes no more places than it may have, and gets one back with each that ends', () => {
  const places = new Places({ all: 4, ofOwner: 2 });
  const [first] = [places.take('a'), places.take('a')];
  expect(places.take('a')).toBeUndefined();
  expect(places.take('b')).toBeDefined();
  first?.();
  expect(places.taken).toBe(2);
  expect(places.take('a')).toBeDefined();
  expect(places.take('a')).toBeUndefined();
  expect(places.taken).toBe(3);
});

test('all owners together take no more places than there are', () => {
  const places = new Places({ all: 4, ofOwner: 2 });
  const taken = ['a', 'b', 'c', 'd', 'e'].map((owner) => places.take(owner));
  expect(taken.map((place) => place !== undefined)).toEqual([true, true, true, true, false]);
  taken[3]?.();
  expect(places.take('e')).toBeDefined();
});
