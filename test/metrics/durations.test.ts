import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Durations } from '../../adapters/metrics/tally.ts';

const BOUNDS = [0.001, 0.01, 1];

test('a duration counts in each bucket from its own on, and one equal to a limit is within it', () => {
  const durations = new Durations(BOUNDS);
  for (const seconds of [0, 0.001, 0.002, 1, 3]) durations.add(seconds);
  expect(durations.upTo()).toEqual([
    { bound: 0.001, count: 2 },
    { bound: 0.01, count: 3 },
    { bound: 1, count: 4 },
    { bound: '+Inf', count: 5 },
  ]);
});

test('each bucket counts the durations within its limit, whatever they are', () => {
  const seconds = fc.array(fc.double({ min: 0, max: 5, noNaN: true }));
  fc.assert(
    fc.property(seconds, (all) => {
      const durations = new Durations(BOUNDS);
      for (const one of all) durations.add(one);
      for (const { bound, count } of durations.upTo()) {
        expect(count).toBe(all.filter((one) => bound === '+Inf' || one <= bound).length);
      }
      expect(durations.sum).toBeCloseTo(all.reduce((sum, one) => sum + one, 0));
    }),
  );
});
