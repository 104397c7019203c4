import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { anAccount } from '../../support/account-builders.ts';
import { EVERY_ENTRY } from '../../support/audited.ts';
import { aDevice, anApiKey, anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aSignInStore } from '../../support/sign-in.ts';

const permit = grantPermit();

/** Account 1 may use product 5 on two devices; nobody may use product 6. */
const aShop = async (contents: Contents = {}) => {
  const { store } = await aSignInStore({
    accounts: [anAccount({ id: 1 }), anAccount({ id: 2 })],
    products: [aProduct({ id: 5, device_limit: 2 }), aProduct({ id: 6 })],
    entitlements: [anEntitlement({ account_id: 1, product_id: 5 })],
    ...contents,
  });
  const devices = store.get('devices');
  return {
    store,
    seat: async (account_id: number, product_id: number, device_id: string, activated_at = NOW) => {
      const { slots } = await devices.find(account_id, product_id, device_id);
      await devices.activate(permit, account_id, product_id, aDevice({ device_id, activated_at }), slots);
    },
    list: (product_id: number | null = null) => store.get('listOwnDevices')(1, product_id),
    release: (device_id: string, account_id = 1, product_id = 5) =>
      store.get('releaseDevice')(permit, { account_id, product_id, device_id }),
    leave: (device_id: string) => store.get('releaseDevice')(permit, { account_id: 1, product_id: null, device_id }),
    rename: (device_id: string, name: string, account_id = 1) =>
      store.get('renameDevice')(permit, { account_id, device_id, name }),
  };
};

describe('the devices of an account', () => {
  test('each product of an account is listed with its limit and its devices, first activated first', async () => {
    const { seat, list } = await aShop();
    await seat(1, 5, 'a-later', addDays(NOW, 1));
    await seat(1, 5, 'b-first');
    await seat(2, 5, 'neighbour');
    const { products } = await list();
    expect(products).toMatchObject([{ id: 5, name: { en: 'Product 5' }, device_limit: 2 }]);
    expect(products[0]?.devices.map(({ device_id }) => device_id)).toEqual(['b-first', 'a-later']);
  });

  test('a product without devices is listed while the account may use it', async () => {
    const { list } = await aShop();
    expect((await list()).products).toMatchObject([{ id: 5, devices: [] }]);
    expect((await list(5)).products).toMatchObject([{ id: 5 }]);
    expect((await list(6)).products).toEqual([]);
    expect((await list(99)).products).toEqual([]);
  });

  test('a device gets one name on one line in all its slots, and an empty name removes it', async () => {
    const owned = [anEntitlement({ product_id: 5 }), anEntitlement({ id: 2, product_id: 6 })];
    const { store, seat, list, rename } = await aShop({ entitlements: owned });
    for (const product of [5, 6]) await seat(1, product, 'laptop');
    await seat(1, 6, 'phone');
    const names = async () =>
      (await list()).products.map(({ devices }) => devices.map(({ device_id, name }) => [device_id, name]));
    const untouched = ['phone', aDevice().name];
    expect(await rename('laptop', ' Mum’s\u202e\nlaptop ')).toEqual({ ok: true, value: 'Mum’s laptop' });
    expect(await names()).toEqual([[['laptop', 'Mum’s laptop']], [['laptop', 'Mum’s laptop'], untouched]]);
    expect(await rename('laptop', '\u200b ')).toEqual({ ok: true, value: null });
    expect(await names()).toEqual([[['laptop', null]], [['laptop', null], untouched]]);
    expect(await rename('unknown', 'Ghost')).toMatchObject({ ok: false, code: 'device_not_found' });
    expect(await rename('laptop', 'Not yours', 2)).toMatchObject({ ok: false, code: 'device_not_found' });
    const filter = { ...EVERY_ENTRY, action: 'device.renamed' };
    const entries = await Array.fromAsync(store.get('auditLog').list(filter));
    expect(entries.map(({ product_id }) => product_id).toSorted()).toEqual([5, 5, 6, 6]);
    for (const entry of entries) expect(entry).toMatchObject({ account_id: 1, changes: [{ field: 'name' }] });
  });

  test('a departing device is released for every product at once', async () => {
    const owned = [anEntitlement({ product_id: 5 }), anEntitlement({ id: 2, product_id: 6 })];
    const { seat, list, leave } = await aShop({ entitlements: owned });
    for (const product of [5, 6]) await seat(1, product, 'laptop');
    await seat(1, 6, 'phone');
    expect((await leave('laptop')).ok).toBe(true);
    expect((await list()).products.map(({ devices }) => devices.length)).toEqual([0, 1]);
    expect(await leave('laptop')).toMatchObject({ ok: false, code: 'device_not_found' });
  });

  test('devices of a product with ended access can still be listed and released', async () => {
    const ended = anEntitlement({ account_id: 1, product_id: 5, access_expires_at: NOW });
    const { seat, list, release } = await aShop({ entitlements: [ended] });
    expect((await list()).products).toEqual([]);
    await seat(1, 5, 'laptop');
    expect((await list()).products).toMatchObject([{ id: 5, device_limit: 0, devices: [{ device_id: 'laptop' }] }]);
    expect(await release('laptop')).toMatchObject({ ok: true });
    expect((await list()).products).toEqual([]);
  });

  test('a product that represents a bundle is left out, and its products are listed', async () => {
    const bundle = { id: 1, product_id: 6, name: { en: 'Both' }, product_ids: [5], active: true };
    const { list } = await aShop({
      bundles: [bundle],
      entitlements: [anEntitlement({ account_id: 1, product_id: 6 })],
    });
    expect((await list()).products.map(({ id }) => id)).toEqual([5]);
  });
});

describe('the release of a device', () => {
  test('releasing the device of another account or product is refused', async () => {
    const { seat, release, list } = await aShop();
    await seat(1, 5, 'laptop');
    expect(await release('laptop', 2)).toMatchObject({ ok: false, code: 'device_not_found' });
    expect(await release('laptop', 1, 6)).toMatchObject({ ok: false, code: 'device_not_found' });
    expect((await list()).products[0]?.devices).toHaveLength(1);
  });
});

describe('the revocation of one’s own key', () => {
  test('an owner can revoke only the own keys', async () => {
    const keys = [anApiKey({ id: 1, account_id: 1 }), anApiKey({ id: 2, account_id: 2 })];
    const { store } = await aShop({ keys });
    const revoke = (id: number) => store.get('revokeOwnKey')(permit, 1, id);
    const before = await store.entries();
    const unknown = { ok: false, code: 'key_not_found' };
    expect(await revoke(2)).toMatchObject(unknown);
    expect(await revoke(3)).toMatchObject(unknown);
    expect(await store.entries()).toEqual(before);
    expect(await revoke(1)).toMatchObject({ ok: true, value: { id: 1 } });
    expect(await store.get('listApiKeys')({ account_id: 1 })).toMatchObject({ value: [{ revoked_at: NOW }] });
  });
});
