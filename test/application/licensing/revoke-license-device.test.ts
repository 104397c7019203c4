import { describe, expect, test } from 'vitest';
import { aDeviceKey } from '../../support/account-builders.ts';
import { anApiKey, anEntitlement, aProduct } from '../../support/builders.ts';
import { aLicenseStore, NOTES } from '../../support/license-store.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed, withoutPermit } from '../../support/permits.ts';

const laptop = aDeviceKey({ id: 1 });
const ofLaptop = aDeviceKey({ id: 2, parent_id: 1, product_id: 1 });
const phone = aDeviceKey({ id: 3, device: { device_id: 'phone', name: null } });
const personal = anApiKey({ id: 4, product_id: 2 });
const licenseKey = anApiKey({ id: 5, product_id: 1, kind: 'license' });

/** A store whose laptop and phone hold the two slots of NOTES. */
const aFullStore = async () => {
  const { store, check, seated } = await aLicenseStore({ keys: [laptop, ofLaptop, phone, personal, licenseKey] });
  for (const device_id of ['laptop', 'phone']) await check({ device_id });
  return {
    store,
    check,
    seated,
    revoke: async (key = laptop, permit = PERMIT, device_id: string | null = null) =>
      done(
        await passed(
          store.get('revokeLicenseDevice')({ key, product: NOTES, body: { device_id }, locale: 'en' }),
          permit,
        ),
      ),
    isLive: async ({ hash }: { hash: string }) => (await store.get('apiKeys').find(hash)) !== undefined,
  };
};

describe('the release of a device by its own key', () => {
  test('a released device frees its slot for the next one, and its keys are revoked', async () => {
    const { check, seated, revoke, isLive } = await aFullStore();
    expect(await check({ device_id: 'tablet' })).toMatchObject({ code: 'device_limit_reached' });
    const answer = {
      revoked: true,
      product_id: 1,
      key_prefix: laptop.prefix,
      released_device_id: 'laptop',
      offline_until: null,
    };
    const message = 'This key is revoked, and its device gave back its slot of this product.';
    expect(await revoke()).toEqual({ ...answer, message });
    expect([await isLive(laptop), await isLive(ofLaptop), await isLive(phone)]).toEqual([false, false, true]);
    expect(await check({ device_id: 'tablet' })).toMatchObject({ value: { devices: { used: 2 } } });
    expect(await seated()).toEqual(['phone', 'tablet']);
  });

  test('a product key releases its device, and only that key is revoked', async () => {
    const { seated, revoke, isLive } = await aFullStore();
    expect(await revoke(ofLaptop)).toMatchObject({ released_device_id: 'laptop' });
    expect([await seated(), await isLive(ofLaptop), await isLive(laptop)]).toEqual([['phone'], false, true]);
  });

  test('a key without a device is revoked and releases none', async () => {
    const { seated, revoke, isLive } = await aFullStore();
    expect(await revoke(personal)).toMatchObject({
      revoked: true,
      released_device_id: null,
      message:
        'This key is revoked. It was tied to no device, so no slot was released; release one at https://account.example.com/devices?product=1.',
    });
    expect([await seated(), await isLive(personal)]).toEqual([['laptop', 'phone'], false]);
  });

  test('a license key stays valid, because other devices use it', async () => {
    const { revoke, isLive } = await aFullStore();
    expect(await revoke(licenseKey)).toMatchObject({
      revoked: false,
      released_device_id: null,
      message:
        'A license key stays, because other devices may have it. Release this device at https://account.example.com/devices?product=1.',
    });
    expect(await isLive(licenseKey)).toBe(true);
  });

  test('a license key releases the requesting device and stays valid', async () => {
    const { seated, revoke, isLive } = await aFullStore();
    expect(await revoke(licenseKey, PERMIT, 'phone')).toMatchObject({
      revoked: false,
      released_device_id: 'phone',
      message:
        'This device gave back its slot of this product. The license key stays, because other devices may have it.',
    });
    expect([await seated(), await isLive(licenseKey)]).toEqual([['laptop'], true]);
    expect(await revoke(licenseKey, PERMIT, 'phone')).toMatchObject({ released_device_id: null });
  });

  test('a device’s key releases no other device', async () => {
    const { seated, revoke } = await aFullStore();
    expect(await revoke(phone, PERMIT, 'laptop')).toMatchObject({ released_device_id: 'phone' });
    expect(await seated()).toEqual(['laptop']);
  });

  test('a repeated release reports that nothing was left to release', async () => {
    const { check, revoke } = await aFullStore();
    await revoke();
    expect(await revoke()).toMatchObject({
      revoked: true,
      released_device_id: null,
      message: 'This key is revoked. Its device held no slot of this product, so none was released.',
    });
    expect(await check({ device_id: null })).toMatchObject({ value: { devices: { used: 1 } } });
  });

  test('a device keeps its slots of other products', async () => {
    const { store, check, seated, revoke } = await aFullStore();
    await store.put({ products: [aProduct({ id: 2 })], entitlements: [anEntitlement({ id: 2, product_id: 2 })] });
    await check({ product_id: 2 });
    await revoke();
    expect(await seated(2)).toEqual(['laptop']);
  });

  test('a slot that the device takes again while its key is revoked is released too', async () => {
    const { store, check, seated, revoke } = await aFullStore();
    const apiKeys = store.get('apiKeys');
    const change = apiKeys.change.bind(apiKeys);
    apiKeys.change = async (...args) => {
      await check({ device_id: 'laptop' });
      return change(...args);
    };
    expect(await revoke()).toMatchObject({ released_device_id: 'laptop' });
    expect(await seated()).toEqual(['phone']);
  });

  test('a release whose permit never resolves frees no slot and ends no key', async () => {
    const { store, revoke } = await aFullStore();
    const before = await store.entries();
    await withoutPermit((permit) => revoke(laptop, permit));
    expect(await store.entries()).toEqual(before);
  });
});
