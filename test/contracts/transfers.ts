import { beforeEach, describe, expect, test } from 'vitest';
import { StoredApiKeys } from '../../adapters/store/api-keys.ts';
import { StoredDevices } from '../../adapters/store/devices.ts';
import { StoredLicenses } from '../../adapters/store/licenses.ts';
import type { Table } from '../../adapters/store/table.ts';
import { StoredTransfers } from '../../adapters/store/transfers.ts';
import { newLicenseKey } from '../../domain/access/api-key.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { newOffer } from '../../domain/licensing/transfer.ts';
import { audited } from '../support/audited.ts';
import { aDevice, anEntitlement, NOW } from '../support/builders.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();
const LICENSE = anEntitlement({ id: 3, account_id: 7, product_id: 1 });
const HASH = 'a'.repeat(64);
const OFFER = newOffer({ from: 7, into: 8, entitlement_id: 3, product_id: 1, email: 'a@example.com' }, NOW);

/**
 * Registers the tests that transfers must pass on each engine; call it at the top of a Vitest file. `open` returns an
 * empty table. Two concurrent calls must be able to meet inside it.
 */
export const transfersContract = (
  name: string,
  open: () => Promise<Table> | Table,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`transfers on ${name}`, { timeout }, () => {
    let table: Table;
    let transfers: StoredTransfers;
    let licenses: StoredLicenses;
    let apiKeys: StoredApiKeys;
    let devices: StoredDevices;
    beforeEach(async () => {
      table = await open();
      const parts = audited(table);
      [transfers, licenses] = [new StoredTransfers(parts), new StoredLicenses(parts)];
      [apiKeys, devices] = [new StoredApiKeys(parts), new StoredDevices(parts)];
      await licenses.saveEntitlement(PERMIT, LICENSE);
      const scope = await apiKeys.scope(7, 1);
      const add = newLicenseKey(scope, { id: 5, hash: HASH, prefix: 'lic_0123456789', name: 'License key' }, NOW);
      await apiKeys.change(PERMIT, scope, { add, sealed: 'sealed' }, NOW);
      for (const [account_id, device_id] of [
        [7, 'laptop'],
        [7, 'tower'],
        [8, 'tower'],
      ] as const) {
        const { slots } = await devices.find(account_id, 1, device_id);
        expect(await devices.activate(PERMIT, account_id, 1, aDevice({ device_id }), slots)).toBeTruthy();
      }
    }, timeout);

    const move = async (into: number, accepted?: typeof OFFER) => {
      const [mine, theirs] = await Promise.all([apiKeys.scope(7, 1), apiKeys.scope(into, 1)]);
      const parts = { entitlements: [LICENSE], keys: [{ mine, theirs }], devices_of: [1], messages: [] };
      return transfers.move(PERMIT, { from: 7, into, at: NOW, ...parts, accepted });
    };
    const held = async (id: number) => (await licenses.held(id)).entitlements;
    const used = async (id: number) => (await devices.used(id)).get(1)?.used ?? 0;

    test('the license and its key move at once, with the value of the key, and the devices follow', async () => {
      expect(await move(8)).toBe(true);
      const [moved] = await held(8);
      expect([await held(7), moved?.transferred]).toEqual([[], { at: NOW, from: 7 }]);
      const key = await apiKeys.find(HASH);
      expect([key?.account_id, key && (await apiKeys.sealed(key))]).toEqual([8, 'sealed']);
      expect(await transfers.holder(7, 3)).toBe(8);
      expect(await transfers.follow(PERMIT, { into: 9, entitlement: LICENSE })).toBe(false);
      expect(await transfers.follow(PERMIT, { into: 8, entitlement: LICENSE, giver: 9 })).toBe(false);
      expect(await transfers.follow(PERMIT, { into: 8, entitlement: LICENSE })).toBe(true);
      expect([await used(7), await used(8)]).toEqual([0, 2]);
    });

    test('of simultaneous transfers to several accounts, one moves the license', async () => {
      const moved = await Promise.all([8, 9, 10, 11].map((into) => move(into)));
      expect(moved.filter(Boolean)).toHaveLength(1);
      const all = await Promise.all([7, 8, 9, 10, 11].map(held));
      expect(all.flat()).toHaveLength(1);
      expect(all[moved.indexOf(true) + 1]).toHaveLength(1);
    });

    test('of a simultaneous acceptance and cancellation, one happens', async () => {
      expect(await transfers.offer(PERMIT, OFFER, [])).toBe(true);
      const [accepted, canceled] = await Promise.all([move(8, OFFER), transfers.cancel(PERMIT, OFFER)]);
      expect([accepted, canceled].filter(Boolean)).toHaveLength(1);
      expect(await held(accepted ? 8 : 7)).toHaveLength(1);
      expect([await transfers.offers(7), await transfers.offers(8)]).toEqual([[], []]);
    });

    test('a replaced offer can neither be accepted nor cancelled', async () => {
      const other = { ...OFFER, into: 9 };
      expect([await transfers.offer(PERMIT, OFFER, []), await transfers.offer(PERMIT, other, [])]).toEqual([
        true,
        true,
      ]);
      expect([await move(8, OFFER), await transfers.cancel(PERMIT, OFFER)]).toEqual([false, false]);
      expect(await move(9, other)).toBe(true);
    });

    test('a transfer that is interrupted before any of its writes is completed by the same calls, and counts each device once', async () => {
      const whole = table.transact.bind(table);
      for (let most = 0, isDone = false; !isDone; most++) {
        let writes = 0;
        table.transact = async (...given) => {
          if (writes++ === most) throw new Error('killed');
          return whole(...given);
        };
        const isMoved = (await held(8)).length === 1;
        isDone = await (async () => {
          if (!isMoved && !(await move(8))) return false;
          return transfers.follow(PERMIT, { into: 8, entitlement: LICENSE });
        })().catch(() => false);
        expect((await held(7)).length + (await held(8)).length).toBe(1);
      }
      table.transact = whole;
      expect([await used(7), await used(8)]).toEqual([0, 2]);
      expect((await devices.list(8, 1)).map(({ device_id }) => device_id).sort()).toEqual(['laptop', 'tower']);
    });
  });
};
