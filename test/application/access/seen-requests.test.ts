import { expect, test } from 'vitest';
import { SeenRequests } from '../../../application/access/limit-rate.ts';

test('the least number of requests is the highest count in the store plus the requests not counted there', () => {
  const seen = new SeenRequests();
  expect(seen.least('a', 1)).toBe(0);
  seen.count('a', 1, 5);
  seen.count('a', 1, 3);
  seen.miss('a', 1);
  seen.miss('a', 1);
  expect([seen.least('a', 1), seen.least('b', 1)]).toEqual([7, 0]);
});

test('a new window begins at zero, and a late count of the previous window changes nothing', () => {
  const seen = new SeenRequests();
  seen.count('a', 1, 5);
  seen.count('b', 2, 1);
  expect([seen.least('a', 1), seen.least('a', 2), seen.least('b', 2)]).toEqual([0, 0, 1]);
  seen.count('b', 1, 9);
  seen.miss('c', 1);
  expect([seen.least('b', 2), seen.least('c', 2), seen.least('c', 1)]).toEqual([1, 0, 0]);
});

test('requests are counted in the windows of a clock that was set back', () => {
  const seen = new SeenRequests();
  seen.count('a', 900, 5);
  seen.count('a', 7, 3);
  expect([seen.least('a', 7), seen.least('a', 900)]).toEqual([3, 0]);
});

test('the 100,000 most recently used counters are remembered', () => {
  const seen = new SeenRequests();
  for (let n = 0; n < 100_000; n++) seen.miss(String(n), 1);
  expect(seen.least('0', 1)).toBe(1);
  seen.miss('0', 1);
  seen.miss('new', 1);
  expect(['0', '1', '2', 'new'].map((name) => seen.least(name, 1))).toEqual([2, 0, 1, 1]);
});
