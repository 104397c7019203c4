import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Access, accessTo, type GrantedAccess, productsGranting } from '../../domain/licensing/access.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { aBundle, anEntitlement, aProduct, aSubscription, NOW } from '../support/builders.ts';

const YESTERDAY = addDays(NOW, -1);
const TOMORROW = addDays(NOW, 1);
const NEXT_YEAR = addDays(NOW, 365);

const access = (entitlements: Entitlement[], subscriptions: Subscription[] = [], product = aProduct()): Access =>
  accessTo(product, [aBundle()], { entitlements, subscriptions }, NOW);

describe('access', () => {
  test('an entitlement without an end grants access to its product without end', () => {
    expect(access([anEntitlement()])).toEqual({
      granted: true,
      access_source: 'direct',
      access_expires_at: null,
      updates_supported_until: null,
      device_limit: null,
    });
  });

  test('an entitlement to a bundle grants access to its products and names the bundle as the source', () => {
    expect(access([anEntitlement({ product_id: 100 })])).toMatchObject({ granted: true, access_source: 'bundle' });
    expect(access([anEntitlement({ source_product_id: 100 })])).toMatchObject({
      granted: true,
      access_source: 'bundle',
    });
    expect(
      accessTo(
        aProduct({ id: 2 }),
        [aBundle()],
        { entitlements: [anEntitlement({ product_id: 100 })], subscriptions: [] },
        NOW,
      ),
    ).toEqual({ granted: false, reason: 'not_entitled' });
  });

  test('a subscription to the product or to a bundle with it grants access until the subscription ends', () => {
    const granted = { access_source: 'subscription', access_expires_at: TOMORROW, updates_supported_until: TOMORROW };
    expect(access([], [aSubscription({ ends_at: TOMORROW })])).toMatchObject(granted);
    expect(access([], [aSubscription({ ends_at: TOMORROW, product_ids: [5, 100] })])).toMatchObject(granted);
  });

  test('access names a direct purchase before a bundle and a bundle before a subscription', () => {
    const bundled = anEntitlement({ product_id: 100 });
    expect(access([bundled, anEntitlement()], [aSubscription()])).toMatchObject({ access_source: 'direct' });
    expect(access([bundled], [aSubscription()])).toMatchObject({ access_source: 'bundle' });
  });

  test.each([
    ['no entitlement', [], 'not_entitled'],
    ['only an entitlement to another product', [anEntitlement({ product_id: 2 })], 'not_entitled'],
    ['an entitlement at its end', [anEntitlement({ access_expires_at: NOW })], 'access_expired'],
    ['a revoked entitlement', [anEntitlement({ revoked_at: YESTERDAY })], 'entitlement_revoked'],
    [
      'one revoked and one ended entitlement',
      [anEntitlement({ revoked_at: NOW }), anEntitlement({ access_expires_at: NOW })],
      'access_expired',
    ],
    [
      'an entitlement both revoked and ended',
      [anEntitlement({ revoked_at: NOW, access_expires_at: NOW })],
      'entitlement_revoked',
    ],
  ])('access is refused with %s for a reason that a buyer can act on', (_, held, reason) => {
    expect(access(held)).toEqual({ granted: false, reason, ...(reason === 'access_expired' && { ended_at: NOW }) });
  });

  test('access that begins later is refused with the moment at which the first grant begins', () => {
    const later = anEntitlement({ id: 2, granted_at: addDays(TOMORROW, 1) });
    const pending = [later, anEntitlement({ granted_at: TOMORROW })];
    expect(access(pending)).toEqual({ granted: false, reason: 'not_entitled', begins_at: TOMORROW });
    const ended = anEntitlement({ id: 3, access_expires_at: NOW });
    expect(access([...pending, ended])).toEqual({
      granted: false,
      reason: 'access_expired',
      ended_at: NOW,
      begins_at: TOMORROW,
    });
    expect(access([anEntitlement({ granted_at: TOMORROW, revoked_at: NOW })])).not.toHaveProperty('begins_at');
  });

  test('access outlives the update window', () => {
    expect(access([anEntitlement({ updates_supported_until: YESTERDAY })])).toMatchObject({
      granted: true,
      access_expires_at: null,
      updates_supported_until: YESTERDAY,
    });
  });

  test('access takes the latest end, the latest window and the highest limit of all entitlements in force', () => {
    const first = anEntitlement({ access_expires_at: TOMORROW, updates_supported_until: NEXT_YEAR, device_limit: 2 });
    const second = anEntitlement({ access_expires_at: NEXT_YEAR, updates_supported_until: TOMORROW, device_limit: 5 });
    expect(access([first, second])).toMatchObject({
      access_expires_at: NEXT_YEAR,
      updates_supported_until: NEXT_YEAR,
      device_limit: 5,
    });
  });

  test('access takes nothing from an entitlement that is not in force', () => {
    const dead = { device_limit: 99, updates_supported_until: null };
    const none = [
      anEntitlement({ ...dead, revoked_at: NOW }),
      anEntitlement({ ...dead, granted_at: TOMORROW }),
      anEntitlement({ ...dead, access_expires_at: YESTERDAY }),
    ];
    expect(access([...none, anEntitlement({ device_limit: 1, updates_supported_until: NOW })])).toMatchObject({
      device_limit: 1,
      updates_supported_until: NOW,
    });
  });

  test('the device limit counts per unit bought, by the entitlement’s limit or else by the product’s', () => {
    const product = aProduct({ device_limit: 3 });
    expect(access([anEntitlement({ source_quantity: 4 })], [], product)).toMatchObject({ device_limit: 12 });
    expect(access([anEntitlement({ source_quantity: 4, device_limit: 2 })], [], product)).toMatchObject({
      device_limit: 8,
    });
    expect(access([], [aSubscription()], product)).toMatchObject({ device_limit: 3 });
    expect(access([anEntitlement({ source_quantity: 4 })])).toMatchObject({ device_limit: null });
  });

  test('the products that grant access are the product itself and every bundle with it', () => {
    expect(productsGranting(1, [aBundle(), aBundle({ product_id: 101, product_ids: [2] })])).toEqual([1, 100]);
  });
});

describe('a further grant', () => {
  const end = fc.constantFrom(null, YESTERDAY, NOW, TOMORROW, NEXT_YEAR);
  const limit = fc.constantFrom(null, 0, 1, 2, 5);
  const id = fc.constantFrom(1, 1, 2, 100, 101);
  const entitlement = fc
    .record({
      product_id: id,
      source_product_id: fc.constantFrom(null, 100),
      source_quantity: fc.constantFrom(1, 3),
      device_limit: limit,
      granted_at: fc.constantFrom(YESTERDAY, NOW, TOMORROW),
      revoked_at: fc.constantFrom(null, null, YESTERDAY),
      access_expires_at: end,
      updates_supported_until: end,
    })
    .map(anEntitlement);
  const subscription = fc
    .record({
      product_ids: fc.array(id, { minLength: 1, maxLength: 2 }),
      starts_at: fc.constantFrom(YESTERDAY, NOW, TOMORROW),
      ends_at: end,
      device_limit: limit,
    })
    .map(aSubscription);
  const holdings = fc.record({
    entitlements: fc.array(entitlement, { maxLength: 4 }),
    subscriptions: fc.array(subscription, { maxLength: 2 }),
  });
  const product = limit.map((device_limit) => aProduct({ device_limit }));
  const bundles = fc.subarray([aBundle(), aBundle({ id: 2, product_id: 101, product_ids: [1, 2] })]);

  const isAtLeast = <T extends string | number>(more: T | null, less: T | null): boolean =>
    more === null || (less !== null && more >= less);

  const expectNoLess = (after: Access, before: GrantedAccess) => {
    expect(after.granted).toBe(true);
    if (!after.granted) return;
    expect(isAtLeast(after.access_expires_at, before.access_expires_at)).toBe(true);
    expect(isAtLeast(after.updates_supported_until, before.updates_supported_until)).toBe(true);
    expect(isAtLeast(after.device_limit, before.device_limit)).toBe(true);
  };

  test('a further grant never takes access away or shortens its end, its window or its limit', () => {
    fc.assert(
      fc.property(product, bundles, holdings, entitlement, subscription, (p, b, held, entitled, subscribed) => {
        const before = accessTo(p, b, held, NOW);
        fc.pre(before.granted);
        const { entitlements, subscriptions } = held;
        expectNoLess(accessTo(p, b, { entitlements: [...entitlements, entitled], subscriptions }, NOW), before);
        expectNoLess(accessTo(p, b, { entitlements, subscriptions: [...subscriptions, subscribed] }, NOW), before);
      }),
      { numRuns: 2000 },
    );
  });

  test('access does not depend on the order of the stored holdings', () => {
    fc.assert(
      fc.property(product, bundles, holdings, (p, b, { entitlements, subscriptions }) => {
        const turned = { entitlements: entitlements.toReversed(), subscriptions: subscriptions.toReversed() };
        expect(accessTo(p, b, turned, NOW)).toEqual(accessTo(p, b, { entitlements, subscriptions }, NOW));
      }),
      { numRuns: 1000 },
    );
  });
});
