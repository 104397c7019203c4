import { describe, expect, test } from 'vitest';
import { devicesHandlers as devices } from '../../../adapters/pipeline/handlers/devices.ts';
import { type AccountPrincipal, principalOfKey } from '../../../domain/access/principal.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { aDeviceKey, anAccount } from '../../support/account-builders.ts';
import { aBundle, anApiKey, anEntitlement, aProduct, aSubscription, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';

const laptop = aDeviceKey({ id: 1 });
const ofLaptop = aDeviceKey({ id: 2, parent_id: 1, product_id: 5 });
const products = [aProduct({ id: 5, name: { en: 'Notes' } }), aProduct({ id: 6 }), aProduct({ id: 100 })];
const entitlements = [anEntitlement({ product_id: 5, updates_supported_until: NOW })];

/** The answer to a device of account 1, which owns product 5. */
const shown = async (contents: Contents = {}, caller: AccountPrincipal = principalOfKey(laptop)) => {
  const store = await aStore([devices], { accounts: [anAccount()], products, entitlements, ...contents });
  return store.get('showDeviceEntitlements')({ caller, locale: 'en' });
};

describe('the entitlements of a device at its start', () => {
  test.each([
    ['no product key', [laptop]],
    ['a product key that was revoked', [laptop, { ...ofLaptop, revoked_at: NOW }]],
    ['the product key of another device', [laptop, { ...ofLaptop, parent_id: 9 }]],
  ])('a device with %s learns that it has none', async (_, keys) => {
    const none = { has_device_key: false, license_key_prefix: null };
    expect(await shown({ keys })).toMatchObject({ products: [none] });
  });

  test('a product whose access has just ended is not shown', async () => {
    const ended = [anEntitlement({ product_id: 5, access_expires_at: NOW })];
    expect((await shown({ entitlements: ended })).products).toEqual([]);
  });

  test('every subscription is shown with its current status, active or not', async () => {
    const running = aSubscription({ id: 1, product_ids: [6], ends_at: addDays(NOW, 1) });
    const over = aSubscription({ id: 2, product_ids: [6], ends_at: addDays(NOW, -1) });
    const { subscriptions, products } = await shown({ subscriptions: [running, over] });
    expect(subscriptions.map(({ id, status }) => [id, status])).toEqual([
      [1, 'active'],
      [2, 'expired'],
    ]);
    expect(products.map(({ id, access_source }) => [id, access_source])).toEqual([
      [5, 'direct'],
      [6, 'subscription'],
    ]);
  });

  test('a bundle is shown only to an account that owns the bundle itself', async () => {
    const bundles = [aBundle({ product_ids: [5, 6] })];
    expect((await shown({ bundles })).bundles).toEqual([]);
    const owned = await shown({ bundles, entitlements: [anEntitlement({ product_id: 100 })] });
    expect(owned.bundles).toEqual([{ id: 1, name: 'Bundle', product_ids: [5, 6] }]);
    expect(owned.products.map(({ id }) => id)).toEqual([5, 6, 100]);
  });

  test('a key bound to one product sees only that product, its subscriptions and its bundles', async () => {
    const bundles = [aBundle({ id: 1, product_ids: [5] }), aBundle({ id: 2, product_ids: [6] })];
    const subscriptions = [5, 6].map((id) => aSubscription({ id, product_ids: [id] }));
    const all = { bundles, subscriptions, entitlements: [anEntitlement({ product_id: 100 })] };
    const seen = await shown(all, principalOfKey(aDeviceKey({ product_id: 5 })));
    const ids = [seen.products, seen.subscriptions, seen.bundles].map((rows) => rows.map(({ id }) => id));
    expect(ids).toEqual([[5], [5], [1]]);
  });

  test('a license key sees its product but not its owner', async () => {
    const licenseKey = anApiKey({ kind: 'license', product_id: 5 });
    const seen = await shown({}, principalOfKey(licenseKey));
    expect(seen).toMatchObject({ products: [{ id: 5 }], device: { id: null }, user: null });
  });
});
