import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { aDeviceKey } from '../../support/account-builders.ts';
import { anApiKey, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

const laptop = aDeviceKey({ id: 1 });
const phone = aDeviceKey({ id: 2, device: { device_id: 'phone', name: null } });
/** The keys of products 5 and 6 from the laptop's bulk activation, and one of the phone's. */
const ofLaptop = [5, 6].map((product_id) => aDeviceKey({ id: 10 + product_id, parent_id: 1, product_id }));
const ofPhone = aDeviceKey({ id: 25, parent_id: 2, product_id: 5 });

const aTwoDeviceStore = async () => {
  const store = await aStore([], { keys: [laptop, phone, ...ofLaptop, ofPhone, anApiKey({ id: 3 })] });
  return {
    end: (key = laptop) => store.get('endApiKey')(grantPermit(), key),
    clock: store.clock,
    apiKeys: store.get('apiKeys'),
    liveIds: async () => {
      const scopes = await store.get('apiKeys').scopes(1);
      const live = scopes.flatMap(({ keys }) => keys).filter(({ revoked_at }) => revoked_at === null);
      return live.map(({ id }) => id).sort((a, b) => a - b);
    },
  };
};

describe('the end of an API key', () => {
  test('revoking a key also revokes the product keys made through it, and no others', async () => {
    const { end, liveIds, apiKeys } = await aTwoDeviceStore();
    await end();
    expect(await liveIds()).toEqual([2, 3, 25]);
    for (const { hash } of [laptop, ...ofLaptop]) expect(await apiKeys.find(hash)).toBeUndefined();
    expect(await apiKeys.find(ofPhone.hash)).toEqual(ofPhone);
  });

  test('revoking a product key revokes no other key', async () => {
    const { end, liveIds } = await aTwoDeviceStore();
    await end(ofPhone);
    expect(await liveIds()).toEqual([1, 2, 3, 15, 16]);
  });

  test('revoking a key again changes nothing, not even its time of revocation', async () => {
    const { end, clock, liveIds, apiKeys } = await aTwoDeviceStore();
    await end();
    clock.at = '2026-11-22T08:00:00.000Z';
    await end();
    const { keys } = await apiKeys.scope(1, null);
    expect(keys.find(({ id }) => id === 1)?.revoked_at).toBe(NOW);
    expect(await liveIds()).toEqual([2, 3, 25]);
  });

  test('two keys of one account that are revoked at the same time both end', async () => {
    const { end, liveIds } = await aTwoDeviceStore();
    await Promise.all([end(laptop), end(phone), end(laptop)]);
    expect(await liveIds()).toEqual([3]);
  });

  test('revoking a key that was already removed changes no other key', async () => {
    const { end, liveIds } = await aTwoDeviceStore();
    await end(aDeviceKey({ id: 99 }));
    expect(await liveIds()).toEqual([1, 2, 3, 15, 16, 25]);
  });
});
