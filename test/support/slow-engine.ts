import { afterEach, expect } from 'vitest';
import { TIMEOUT, watched } from '../contracts/clean.ts';

/** An engine that takes this long for a call, and does one at a time. */
const SLOW_MS = 50;

/**
 * Call it at the top of a test file. A test then fails if it makes more calls to the wrapped object than a slow engine
 * answers within the time limit of the contracts.
 */
export const asSlow = (): (<T extends object>(made: T) => T) => {
  let calls = 0;
  afterEach(() => {
    const taken = calls * SLOW_MS;
    calls = 0;
    expect(taken).toBeLessThan(TIMEOUT);
  });
  return (made) => watched(made, () => () => void (calls += 1));
};
