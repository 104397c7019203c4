import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { KnownUses, ProductUses } from '../../ports/outbound/devices.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();

const MORNING = '2026-11-21T08:00:00.000Z';
const EVENING = '2026-11-21T20:00:00.000Z';
const NEXT_DAY = '2026-11-22T00:00:00.000Z';

/**
 * Registers the tests that every implementation of ProductUses must pass. `open` returns an empty one; it is called
 * before each test.
 */
export const productUsesContract = (
  name: string,
  open: () => Promise<ProductUses> | ProductUses,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as product uses`, { timeout }, () => {
    let uses: ProductUses;
    beforeEach(async () => {
      uses = await open();
    }, timeout);

    const note = async (used_at: string, product_ids = [1], known?: KnownUses): Promise<void> => {
      const used = product_ids.map((product_id) => ({ product_id, used_at }));
      await uses.note(PERMIT, 7, known ?? (await uses.of(7)), used);
    };
    const kept = async (account_id = 7) =>
      [...(await uses.of(account_id))].map(([id, { use }]) => [
        id,
        use.product_id,
        use.first_used_at,
        use.last_used_at,
      ]);

    test('an account that used nothing has no uses', async () => {
      expect(await kept()).toEqual([]);
    });

    test('the first use of each product is recorded, only for that account', async () => {
      await note(MORNING, [1, 2]);
      expect(await kept()).toEqual([
        [1, 1, MORNING, MORNING],
        [2, 2, MORNING, MORNING],
      ]);
      expect(await kept(8)).toEqual([]);
      expect(await kept(70)).toEqual([]);
    });

    test('a second use on the same day writes nothing', async () => {
      await note(MORNING);
      const before = await uses.of(7);
      await note(EVENING);
      expect(await uses.of(7)).toEqual(before);
    });

    test('a use on the next day moves the last use and keeps the first', async () => {
      await note(EVENING);
      await note(NEXT_DAY);
      expect(await kept()).toEqual([[1, 1, EVENING, NEXT_DAY]]);
    });

    test('a use on an earlier day changes nothing', async () => {
      await note(NEXT_DAY);
      await note(MORNING);
      expect(await kept()).toEqual([[1, 1, NEXT_DAY, NEXT_DAY]]);
    });

    test('of two simultaneous requests that record a use, one is stored and neither fails', async () => {
      const known = await uses.of(7);
      await Promise.all([note(MORNING, [1], known), note(EVENING, [1], known)]);
      const [[, , first, last] = []] = await kept();
      expect([MORNING, EVENING]).toContain(first);
      expect(last).toBe(first);
    });

    test('a use based on an outdated read does not undo a later one', async () => {
      await note(MORNING);
      const known = await uses.of(7);
      await note(NEXT_DAY);
      await note('2026-11-22T09:00:00.000Z', [1], known);
      expect(await kept()).toEqual([[1, 1, MORNING, NEXT_DAY]]);
    });
  });
};
