import { describe, expect, test } from 'vitest';
import { aBundle, anEntitlement, aProduct, aSubscription, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';

const product = aProduct({ device_limit: 2 });

/** The access of account 1 to product 1, which the bundle product 100 includes. */
const access = async (contents: Contents, now = NOW) => {
  const store = await aStore([], { products: [product, aProduct({ id: 100 })], bundles: [aBundle()], ...contents });
  store.clock.at = now;
  return store.get('readAccess')(1, product, await store.get('catalogs').current());
};

describe('the access of an account to a product', () => {
  test('an account has access to a product by its purchase, by a bundle and by a subscription', async () => {
    const terms = { edition: null, features: [], metadata: {} };
    const granted = {
      granted: true,
      ...terms,
      access_expires_at: null,
      updates_supported_until: null,
      device_limit: 2,
    };
    const bought = await access({ entitlements: [anEntitlement()] });
    const bundled = await access({ entitlements: [anEntitlement({ product_id: 100 })] });
    const subscribed = await access({ subscriptions: [aSubscription()] });
    expect(bought).toEqual({ ...granted, access_source: 'direct' });
    expect(bundled).toEqual({ ...granted, access_source: 'bundle' });
    expect(subscribed).toEqual({ ...granted, access_source: 'subscription' });
  });

  test('a grant counts from the next request on', async () => {
    const store = await aStore([], { products: [product] });
    const read = async () => store.get('readAccess')(1, product, await store.get('catalogs').current());
    expect(await read()).toMatchObject({ granted: false });
    await store.put({ entitlements: [anEntitlement()] });
    expect(await read()).toMatchObject({ granted: true });
  });
});
