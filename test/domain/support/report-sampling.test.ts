import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  COUNTED_BY_TEN,
  COUNTED_SINGLY,
  isCounted,
  reportBlockOf,
  weightOf,
} from '../../../domain/support/error-report.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The count of the first `reports` of a minute. */
const countOf = (reports: number, name = 'group'): number =>
  Array.from({ length: reports }, (_, n) => n + 1)
    .filter((nth) => isCounted(nth, sha256(`${name} ${reportBlockOf(nth)}`)))
    .reduce((sum, nth) => sum + weightOf(nth), 0);

test('the first hundred reports of a minute count once each, those up to a thousand ten times, and further ones a hundred times', () => {
  expect([1, COUNTED_SINGLY].map(weightOf)).toEqual([1, 1]);
  expect([COUNTED_SINGLY + 1, COUNTED_BY_TEN].map(weightOf)).toEqual([10, 10]);
  expect([COUNTED_BY_TEN + 1, 1_000_000].map(weightOf)).toEqual([100, 100]);
});

test('the count of a minute is off by less than the weight of its last report and exact at the end of each block', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.string(), (reports, name) => {
      expect(Math.abs(countOf(reports, name) - reports)).toBeLessThan(weightOf(reports));
    }),
    { numRuns: 40 },
  );
  for (const whole of [100, 110, 1000, 1100, 5000]) expect(countOf(whole)).toBe(whole);
});

test('a report in half of a block counts for all of it as often as not at all', () => {
  const counts = Array.from({ length: 400 }, (_, n) => countOf(COUNTED_BY_TEN + 50, `group ${n}`));
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  expect(Math.abs(mean - (COUNTED_BY_TEN + 50))).toBeLessThan(10);
});

test('the hash of a block selects the one report that counts', () => {
  const hashOf = (n: number) => n.toString(16).padStart(12, '0');
  const counted = (first: number, weight: number, n: number) =>
    Array.from({ length: weight }, (_, i) => first + i).filter((nth) => isCounted(nth, hashOf(n)));
  expect(counted(101, 10, 0)).toEqual([101]);
  expect(counted(101, 10, 19)).toEqual([110]);
  expect(counted(1001, 100, 42)).toEqual([1043]);
});
