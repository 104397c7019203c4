import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Leases } from '../../ports/outbound/leases.ts';
import { aLease } from '../support/builders.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();

/**
 * Registers the tests that every implementation of `Leases` must pass; call it at the top of a Vitest file. `open`
 * returns an empty one; it is called before each test. Two concurrent calls must be able to meet inside the
 * implementation.
 */
export const leasesContract = (
  name: string,
  open: () => Promise<Leases> | Leases,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as leases`, { timeout }, () => {
    let leases: Leases;
    const read = async () => (await leases.of(7, 1))[0];
    beforeEach(async () => {
      leases = await open();
    }, timeout);

    test('of concurrent sessions that take one slot, one gets it', async () => {
      const taken = await Promise.all(
        Array.from({ length: 10 }, (_, n) => leases.save(PERMIT, 7, aLease({ lease_id: `l-${n}` }), undefined)),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await leases.of(7, 1)).toMatchObject([aLease({ lease_id: `l-${taken.indexOf(true)}` })]);
    });

    test('a lease replaces only the record that was read', async () => {
      await leases.save(PERMIT, 7, aLease(), undefined);
      const before = await read();
      expect(await leases.save(PERMIT, 7, aLease({ lease_id: 'second' }), before)).toBe(true);
      expect(await leases.save(PERMIT, 7, aLease({ lease_id: 'third' }), before)).toBe(false);
      expect(await read()).toMatchObject({ lease_id: 'second' });
    });

    test('the leases of a product are listed by slot, without those of other products and accounts', async () => {
      for (const slot of [10, 2, 1000]) await leases.save(PERMIT, 7, aLease({ slot }), undefined);
      await leases.save(PERMIT, 7, aLease({ product_id: 2 }), undefined);
      await leases.save(PERMIT, 8, aLease(), undefined);
      expect((await leases.of(7, 1)).map(({ slot }) => slot)).toEqual([2, 10, 1000]);
    });

    test.each([true, false])('an end frees a slot, unless it was renewed meanwhile (untold: %s)', async (untold) => {
      await leases.save(PERMIT, 7, aLease(), undefined);
      const before = (await read()) as NonNullable<Awaited<ReturnType<typeof read>>>;
      await leases.save(PERMIT, 7, aLease({ name: 'Lab 3' }), before);
      expect(await leases.end(PERMIT, 7, before, { untold })).toBe(false);
      expect(await read()).toMatchObject({ name: 'Lab 3' });
      expect(await leases.end(PERMIT, 7, (await read()) as typeof before, { untold })).toBe(true);
      expect(await leases.of(7, 1)).toEqual([]);
    });
  });
};
