import { describe, expect, test } from 'vitest';
import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import { addDays, toInstant } from '../../../domain/shared/instant.ts';
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

  test('the latest end, the longest update window and all devices of several purchases count', async () => {
    const [soon, late] = [addDays(NOW, 1), addDays(NOW, 9)];
    const entitlements = [
      anEntitlement({ id: 1, access_expires_at: late, updates_supported_until: soon, device_limit: 1 }),
      anEntitlement({ id: 2, product_id: 100, access_expires_at: soon, updates_supported_until: late }),
    ];
    const terms = { access_expires_at: late, updates_supported_until: late, device_limit: 3 };
    expect(await access({ entitlements })).toMatchObject({ granted: true, access_source: 'direct', ...terms });
  });

  test.each<[string, Partial<Entitlement>, string]>([
    ['owns nothing of the product', { product_id: 2 }, 'not_entitled'],
    ['had its right withdrawn', { revoked_at: NOW }, 'entitlement_revoked'],
    ['had an access that ended', { access_expires_at: NOW }, 'access_expired'],
    ['is another one than the owner', { account_id: 2 }, 'not_entitled'],
  ])('an account that %s has no access, with a reason', async (_, entitlement, reason) => {
    const ended = reason === 'access_expired' && { ended_at: NOW };
    expect(await access({ entitlements: [anEntitlement(entitlement)] })).toEqual({ granted: false, reason, ...ended });
  });

  test('an account whose subscription begins later has no access, with the start date', async () => {
    const begins_at = addDays(NOW, 1);
    const refused = { granted: false, reason: 'not_entitled', begins_at };
    expect(await access({ subscriptions: [aSubscription({ starts_at: begins_at })] })).toEqual(refused);
  });

  test('a subscription gives access until its grace period ends, and a cancelled one has no grace', async () => {
    const ended = aSubscription({ ends_at: NOW, grace_days: 3 });
    const lastMoment = toInstant(Date.parse(addDays(NOW, 3)) - 1);
    expect(await access({ subscriptions: [ended] }, lastMoment)).toMatchObject({ granted: true });
    expect(await access({ subscriptions: [ended] }, addDays(NOW, 3))).toMatchObject({ reason: 'access_expired' });
    expect(await access({ subscriptions: [{ ...ended, cancelled_at: NOW }] })).toMatchObject({ granted: false });
  });

  test('a grant counts from the next request on', async () => {
    const store = await aStore([], { products: [product] });
    const read = async () => store.get('readAccess')(1, product, await store.get('catalogs').current());
    expect(await read()).toMatchObject({ granted: false });
    await store.put({ entitlements: [anEntitlement()] });
    expect(await read()).toMatchObject({ granted: true });
  });
});
