import { beforeEach, describe, expect, test } from 'vitest';
import { StoredApiKeys } from '../../adapters/store/api-keys.ts';
import { StoredKeyBatches } from '../../adapters/store/key-batches.ts';
import type { Table } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { claimOf, type KeyBatch } from '../../domain/licensing/key-batch.ts';
import { audited } from '../support/audited.ts';
import { NOW } from '../support/builders.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();
const TERMS = { product_id: 4, access_days: 30, updates_days: null, device_limit: null };
const BATCH: KeyBatch = { id: 1, name: 'One', ...TERMS, created_at: NOW, count: 0, revoked_at: null };

const hashOf = (id: number): string => id.toString(16).padStart(64, '0');
const keysFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ id: first + n, hash: hashOf(first + n), prefix: `lic_${first + n}`, batch_id: BATCH.id },
  }));

/**
 * Registers the tests that batches of keys and their first uses must pass on each engine; call it at the top of a Vitest
 * file. `open` returns an empty table. Two concurrent calls must be able to meet inside it.
 */
export const keyBatchesContract = (
  name: string,
  open: () => Promise<Table> | Table,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`batches of keys on ${name}`, { timeout }, () => {
    let batches: StoredKeyBatches;
    let apiKeys: StoredApiKeys;
    beforeEach(async () => {
      const parts = audited(await open());
      [batches, apiKeys] = [new StoredKeyBatches(parts), new StoredApiKeys(parts)];
      expect(await batches.add(PERMIT, BATCH, keysFrom(100, 60))).toBe(true);
      expect(await batches.add(PERMIT, { ...BATCH, count: 60 }, keysFrom(200, 60))).toBe(true);
    }, timeout);

    /** The first use of a key by the account with this number, which is new. */
    const claim = async (id: number, account_id: number): Promise<boolean> => {
      const key = await apiKeys.findEither(hashOf(id));
      const scope = { account_id, product_id: TERMS.product_id, keys: [], version: null };
      const records = key && 'batch_id' in key ? claimOf(key, BATCH, scope, true, NOW) : undefined;
      return records?.ok === true && apiKeys.claim(PERMIT, scope, records.value);
    };
    const countOf = async () => (await batches.get(BATCH.id))?.count;
    const unclaimed = async () => (await batches.unclaimed(BATCH.id)).map(({ id }) => id);

    test('of ten simultaneous first uses of a key, one binds it, and the key has its account', async () => {
      const claimed = await Promise.all(Array.from({ length: 10 }, (_, n) => claim(100, n + 1)));
      expect(claimed.filter(Boolean)).toHaveLength(1);
      const account_id = claimed.indexOf(true) + 1;
      expect(await batches.claims(BATCH.id)).toMatchObject([{ key_id: 100, account_id, revoked_at: null }]);
      expect(await apiKeys.find(hashOf(100))).toMatchObject({ account_id, kind: 'license' });
      expect(await unclaimed()).toHaveLength(119);
    });

    test('a key that is used and revoked at once is either in use or revoked', async () => {
      const [key = { id: 0, hash: '', prefix: '', batch_id: 0 }] = await batches.unclaimed(BATCH.id);
      const [used, revoked] = await Promise.all([claim(key.id, 1), batches.revokeUnclaimed(PERMIT, key, NOW)]);
      expect([used, revoked].filter(Boolean)).toHaveLength(1);
      expect((await apiKeys.findEither(key.hash)) !== undefined).toBe(used);
      expect(await batches.claims(BATCH.id)).toMatchObject([{ account_id: used ? 1 : null }]);
    });

    test('the last keys of a batch are removed, even in the middle of those added together', async () => {
      expect(await batches.dropLast(PERMIT, BATCH, 50)).toBe(true);
      expect([await countOf(), (await unclaimed()).at(-1)]).toEqual([50, 149]);
      expect(await apiKeys.findEither(hashOf(150))).toBeUndefined();
      expect(await batches.add(PERMIT, { ...BATCH, count: 50 }, keysFrom(300, 5))).toBe(true);
      expect(await unclaimed()).toHaveLength(55);
    });

    test('no key in use is removed', async () => {
      expect(await claim(210, 1)).toBe(true);
      expect(await batches.dropLast(PERMIT, BATCH, 0)).toBe(false);
      expect([await countOf(), await claim(100, 2)]).toEqual([120, true]);
    });

    test('of two additions after the same keys one is written, and none to a revoked batch', async () => {
      const at = { ...BATCH, count: 120 };
      const added = await Promise.all([300, 400].map((first) => batches.add(PERMIT, at, keysFrom(first, 5))));
      expect([added.filter(Boolean).length, await countOf()]).toEqual([1, 125]);
      expect(await batches.revoke(PERMIT, BATCH, NOW)).toBe(true);
      expect(await batches.add(PERMIT, { ...at, count: 125 }, keysFrom(500, 5))).toBe(false);
      expect(await batches.get(BATCH.id)).toMatchObject({ count: 125, revoked_at: NOW });
    });
  });
};
