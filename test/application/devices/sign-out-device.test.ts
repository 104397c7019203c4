import { describe, expect, test } from 'vitest';
import { devicesHandlers as devices } from '../../../adapters/pipeline/handlers/devices.ts';
import type { ApiKey } from '../../../domain/access/api-key.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { aDeviceKey } from '../../support/account-builders.ts';
import { aDevice, anApiKey } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed, withoutPermit } from '../../support/permits.ts';

const laptop = aDeviceKey({ id: 1 });
const ofLaptop = aDeviceKey({ id: 2, parent_id: 1, product_id: 5 });
const onPhone = { device_id: 'phone', name: null };
const phone = aDeviceKey({ id: 3, device: onPhone });
const ofPhone = aDeviceKey({ id: 4, parent_id: 3, product_id: 5, device: onPhone });
const personal = anApiKey({ id: 5 });
const all = [laptop, ofLaptop, phone, ofPhone, personal];

/** A store where a laptop and a phone are signed in, each with a key of product 5. */
const aTwoDeviceStore = async () => {
  const store = await aStore([devices], { keys: all });
  return {
    store,
    signOut: async (key: ApiKey, permit = PERMIT) => done(await passed(store.get('signOutDevice')({ key }), permit)),
    seat: async (product_id: number, device_id: string) => {
      const { slots } = await store.get('devices').find(1, product_id, device_id);
      await store.get('devices').activate(grantPermit(), 1, product_id, aDevice({ device_id }), slots);
    },
    seated: async (product_id: number) =>
      (await store.get('devices').list(1, product_id)).map(({ device_id }) => device_id),
    live: async () => {
      const found = await Promise.all(all.map(({ hash }) => store.get('apiKeys').find(hash)));
      return found.flatMap((key) => key?.id ?? []);
    },
  };
};

describe('the sign-out of a device', () => {
  test('a device that signs out loses its key and its product keys, and another device keeps its own', async () => {
    const { signOut, live } = await aTwoDeviceStore();
    await signOut(laptop);
    expect(await live()).toEqual([3, 4, 5]);
  });

  test('a device that signs out frees its slots of all products, and another device keeps its own', async () => {
    const { signOut, seat, seated } = await aTwoDeviceStore();
    for (const product of [5, 6, 7]) await seat(product, 'laptop');
    await seat(5, 'phone');
    expect(await signOut(laptop)).toBe(3);
    expect([await seated(5), await seated(6), await seated(7)]).toEqual([['phone'], [], []]);
  });

  test('a license key stays valid, because other devices use it', async () => {
    const { store, signOut } = await aTwoDeviceStore();
    const licenseKey = anApiKey({ id: 6, product_id: 5, kind: 'license' });
    await store.put({ keys: [licenseKey] });
    expect(await signOut(licenseKey)).toBe(0);
    expect(await store.get('apiKeys').find(licenseKey.hash)).toBeDefined();
  });

  test('a sign-out with a product key frees only the slot of its product', async () => {
    const { signOut, seat, seated } = await aTwoDeviceStore();
    for (const product of [5, 6]) await seat(product, 'laptop');
    expect(await signOut(ofLaptop)).toBe(1);
    expect([await seated(5), await seated(6)]).toEqual([[], ['laptop']]);
  });

  test('a sign-out with a key without a device frees no slot', async () => {
    const { signOut, seat, seated } = await aTwoDeviceStore();
    await seat(5, 'laptop');
    expect(await signOut(personal)).toBe(0);
    expect(await seated(5)).toEqual(['laptop']);
  });

  test('simultaneous sign-outs free each slot once, and the slot count stays right', async () => {
    const { store, signOut, seat } = await aTwoDeviceStore();
    for (const product of [5, 6]) for (const device of ['laptop', 'phone', 'third']) await seat(product, device);
    const counts = await Promise.all([signOut(laptop), signOut(phone), signOut(laptop)]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
    for (const product of [5, 6]) {
      expect((await store.get('devices').find(1, product, null)).slots.used).toBe(1);
    }
  });

  test('a sign-out frees slots that its device takes while it runs', async () => {
    const { signOut, seat, seated } = await aTwoDeviceStore();
    await seat(5, 'laptop');
    const permit = Promise.withResolvers<Permit>();
    const signedOut = signOut(laptop, permit.promise);
    await seat(6, 'laptop');
    permit.resolve(grantPermit());
    expect(await signedOut).toBe(2);
    expect([await seated(5), await seated(6)]).toEqual([[], []]);
  });

  test('a sign-out with a product key leaves the device signed in', async () => {
    const { signOut, live } = await aTwoDeviceStore();
    await signOut(ofLaptop);
    expect(await live()).toEqual([1, 3, 4, 5]);
  });

  test('a personal key can revoke itself by a sign-out', async () => {
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

  test('a sign-out whose permit never resolves revokes no key', async () => {
    const { signOut, live } = await aTwoDeviceStore();
    await withoutPermit((permit) => signOut(laptop, permit));
    expect(await live()).toEqual([1, 2, 3, 4, 5]);
  });
});
