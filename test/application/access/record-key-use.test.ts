import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import { aDeviceKey } from '../../support/account-builders.ts';
import { NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

const key = aDeviceKey();
const END_OF_HOUR = toInstant(millis(NOW) + 3_600_000 - 1);
const NEXT_HOUR = toInstant(millis(NOW) + 3_600_000);

/** A store with one key, and its last use as recorded in either place. */
const aStoreWithKey = async () => {
  const store = await aStore([], { keys: [key] });
  const stored = async () => (await store.get('apiKeys').find(key.hash)) ?? key;
  return {
    store,
    use: async () => store.get('recordKeyUse')(await stored()),
    lastUses: async () => {
      const { keys } = await store.get('apiKeys').scope(1, null);
      return [(await stored()).last_used_at, keys[0]?.last_used_at];
    },
  };
};

describe('the use of an API key', () => {
  test('the first use of a key is recorded', async () => {
    const { use, lastUses } = await aStoreWithKey();
    expect(await lastUses()).toEqual([null, null]);
    await use();
    expect(await lastUses()).toEqual([NOW, NOW]);
  });

  test('another use within the hour is not recorded, and the first one after it is', async () => {
    const { store, use, lastUses } = await aStoreWithKey();
    await use();
    store.clock.at = END_OF_HOUR;
    await use();
    expect(await lastUses()).toEqual([NOW, NOW]);
    store.clock.at = NEXT_HOUR;
    await use();
    expect(await lastUses()).toEqual([NEXT_HOUR, NEXT_HOUR]);
  });

  test('a device key that is used stays valid for 90 more days', async () => {
    const { store, use } = await aStoreWithKey();
    store.clock.at = '2027-02-19T12:00:00.000Z';
    await use();
    const scope = await store.get('apiKeys').scope(1, null);
    expect(scope.keys).toEqual([{ ...key, last_used_at: '2027-02-19T12:00:00.000Z' }]);
  });

  test('the use of a key that was revoked meanwhile does not restore it', async () => {
    const { store, use } = await aStoreWithKey();
    await store.get('endApiKey')(grantPermit(), key);
    await use();
    expect(await store.get('apiKeys').find(key.hash)).toBeUndefined();
  });
});
