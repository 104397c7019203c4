import { describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../domain/access/api-key.ts';
import { devices } from '../../../runtimes/composition/areas/devices.ts';
import { aDeviceKey } from '../../support/account-builders.ts';
import { anApiKey } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { PERMIT, withoutPermit } from '../../support/permits.ts';

const laptop = aDeviceKey({ id: 1 });
const ofLaptop = aDeviceKey({ id: 2, parent_id: 1, product_id: 5 });
const phone = aDeviceKey({ id: 3 });
const ofPhone = aDeviceKey({ id: 4, parent_id: 3, product_id: 5 });
const personal = anApiKey({ id: 5 });
const all = [laptop, ofLaptop, phone, ofPhone, personal];

/** A store where a laptop and a phone are signed in, each with a key of product 5. */
const aTwoDeviceStore = async () => {
  const store = await aStore([devices], { keys: all });
  return {
    store,
    signOut: (key: ApiKey, permit = PERMIT) => store.get('signOutDevice').execute({ key, permit }),
    live: async () => {
      const found = await Promise.all(all.map(({ hash }) => store.get('apiKeys').find(hash)));
      return found.flatMap((key) => key?.id ?? []);
    },
  };
};

describe('the sign-out of a device', () => {
  test('a device that signs out loses its key and its product keys, and another device keeps both', async () => {
    const { signOut, live } = await aTwoDeviceStore();
    await signOut(laptop);
    expect(await live()).toEqual([3, 4, 5]);
  });

  test('a sign-out with a product key leaves the device signed in', async () => {
    const { signOut, live } = await aTwoDeviceStore();
    await signOut(ofLaptop);
    expect(await live()).toEqual([1, 3, 4, 5]);
  });

  test('a personal key can end itself by a sign-out', async () => {
    const { signOut, live } = await aTwoDeviceStore();
    await signOut(personal);
    expect(await live()).toEqual([1, 2, 3, 4]);
  });

  test('a repeated sign-out changes nothing', async () => {
    const { store, signOut } = await aTwoDeviceStore();
    await signOut(laptop);
    const before = await store.entries();
    store.clock.at = '2026-12-01T00:00:00.000Z';
    await signOut(laptop);
    expect(await store.entries()).toEqual(before);
  });

  test('two devices that sign out at the same time both do', async () => {
    const { signOut, live } = await aTwoDeviceStore();
    await Promise.all([signOut(laptop), signOut(phone), signOut(laptop)]);
    expect(await live()).toEqual([5]);
  });

  test('a sign-out whose permit never resolves ends no key', async () => {
    const { signOut, live } = await aTwoDeviceStore();
    await withoutPermit((permit) => signOut(laptop, permit));
    expect(await live()).toEqual([1, 2, 3, 4, 5]);
  });
});
