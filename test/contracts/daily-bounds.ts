import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { DailyBound } from '../../domain/shared/daily-bound.ts';
import { addDays, dayOf, type Instant, toInstant } from '../../domain/shared/instant.ts';
import type { DailyBounds } from '../../ports/outbound/requests.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();
/** The last and the first moment of two future days, because engines omit expired entries. */
const TOMORROW = addDays(toInstant(Date.now()), 1);
const LATE: Instant = `${dayOf(TOMORROW)}T23:59:59.999Z`;
const NEXT_DAY: Instant = `${dayOf(addDays(TOMORROW, 1))}T00:00:00.000Z`;

const BOUND: DailyBound = { name: 'rows', most: 10, what: 'rows of an account' };

/**
 * Registers the tests that every implementation of DailyBounds must pass. `open` returns an empty one; it is called
 * before each test.
 */
export const dailyBoundsContract = (
  name: string,
  open: () => Promise<DailyBounds> | DailyBounds,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as daily bounds`, { timeout }, () => {
    let bounds: DailyBounds;
    beforeEach(async () => {
      bounds = await open();
    }, timeout);

    const count = (by: number, { owner = 'one', now = LATE, bound = BOUND } = {}) =>
      bounds.count(PERMIT, bound, owner, by, now);
    const isReached = ({ owner = 'one', now = LATE, bound = BOUND } = {}) => bounds.isReached(bound, owner, now);

    test('a daily limit is reached by the count that completes its sum, and not before', async () => {
      expect(await isReached()).toBe(false);
      expect(await count(9)).toBe(9);
      expect(await isReached()).toBe(false);
      expect(await count(1)).toBe(10);
      expect(await isReached()).toBe(true);
    });

    test('a count that exceeds the daily limit reaches it', async () => {
      expect(await count(11)).toBe(11);
      expect(await isReached()).toBe(true);
    });

    test('a daily limit is reached only for its owner, its name and its day', async () => {
      await count(10);
      expect(await isReached({ owner: 'other' })).toBe(false);
      expect(await isReached({ bound: { ...BOUND, name: 'files' } })).toBe(false);
      expect(await isReached({ now: NEXT_DAY })).toBe(false);
      expect(await count(1, { now: NEXT_DAY })).toBe(1);
    });

    test('simultaneous counts are all in the sum and reach the daily limit', async () => {
      const sums = await Promise.all(Array.from({ length: 12 }, () => count(1)));
      expect(sums.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
      expect(await isReached()).toBe(true);
    });
  });
};
