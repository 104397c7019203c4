import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accessTo } from '../../../domain/licensing/access.ts';
import {
  extendedEntitlement,
  type GrantExtension,
  grantRows,
  reachOf,
  revokedEntitlement,
} from '../../../domain/licensing/grant-change.ts';
import { addDays, toInstant } from '../../../domain/shared/instant.ts';
import { aBill, aBundle, aCatalog, anEntitlement, aProduct, aSubscription, NOW } from '../../support/builders.ts';

const SOON = addDays(NOW, 7);
const LATER = addDays(NOW, 30);
const ENDING = anEntitlement({ access_expires_at: SOON, updates_supported_until: SOON, device_limit: 2 });

describe('an extended entitlement', () => {
  test.each<[string, GrantExtension]>([
    ['a later end of access', { access_expires_at: LATER }],
    ['access for good', { access_expires_at: null }],
    ['later updates', { updates_supported_until: LATER }],
    ['updates for good', { updates_supported_until: null }],
    ['more devices', { device_limit: 3 }],
    ['the higher limit of its product', { device_limit: null }],
    ['all of it at once', { access_expires_at: LATER, updates_supported_until: null, device_limit: 9 }],
  ])('an extended entitlement gets %s, and all else stays unchanged', (_, input) => {
    expect(extendedEntitlement(ENDING, input, 5, NOW)).toEqual({ ok: true, value: { ...ENDING, ...input } });
  });

  test('extending an entitlement to its existing terms changes nothing, even when they have passed', () => {
    const ended = anEntitlement({ access_expires_at: addDays(NOW, -1) });
    const same = extendedEntitlement(ended, { access_expires_at: ended.access_expires_at }, null, NOW);
    expect(same.ok && same.value).toBe(ended);
  });

  test.each<[string, GrantExtension, number | null]>([
    ['an earlier end of access', { access_expires_at: addDays(NOW, 6) }, 5],
    ['earlier updates', { updates_supported_until: addDays(NOW, 6) }, 5],
    ['fewer devices', { device_limit: 1 }, 5],
    ['the lower limit of its product', { device_limit: null }, 1],
  ])('an extension with %s is refused', (_, input, productLimit) => {
    expect(extendedEntitlement(ENDING, input, productLimit, NOW)).toMatchObject({
      code: 'would_shorten',
      message: expect.stringMatching(/^This would take something away: .*; to take rights away, revoke/),
    });
  });

  test.each<GrantExtension>([
    { access_expires_at: LATER },
    { updates_supported_until: LATER },
    { device_limit: 1000 },
  ])('an extension that replaces an unlimited term with a limit is refused: %j', (input) => {
    expect(extendedEntitlement(anEntitlement(), input, null, NOW)).toMatchObject({ code: 'would_shorten' });
  });

  test('a later end of access is refused if it has passed', () => {
    const ended = anEntitlement({ access_expires_at: addDays(NOW, -9) });
    expect(extendedEntitlement(ended, { access_expires_at: NOW }, null, NOW)).toMatchObject({
      code: 'expiry_has_passed',
    });
  });

  test('extending a revoked entitlement is refused with advice to grant another one', () => {
    const revoked = revokedEntitlement(ENDING, NOW);
    expect(extendedEntitlement(revoked, { access_expires_at: null }, null, NOW)).toMatchObject({
      code: 'grant_is_revoked',
      message:
        'Entitlement 1 was revoked at 2026-11-21T08:00:00.000Z and cannot be restored; grant account 1 a new one with "grant".',
    });
  });

  test('an extension never takes access, updates or devices away', () => {
    const moment = fc.option(fc.integer({ min: -50, max: 50 }).map((days) => addDays(NOW, days)));
    const limit = fc.option(fc.integer({ min: 0, max: 4 }));
    const input = fc.record(
      { access_expires_at: moment, updates_supported_until: moment, device_limit: limit },
      { requiredKeys: [] },
    );
    const wider = (a: string | number | null, b: string | number | null) => b === null || (a !== null && a <= b);
    fc.assert(
      fc.property(
        moment,
        moment,
        limit,
        limit,
        input,
        (access_expires_at, updates_supported_until, device_limit, own, extension) => {
          const before = anEntitlement({ access_expires_at, updates_supported_until, device_limit });
          const after = extendedEntitlement(before, extension, own, NOW);
          if (!after.ok) return;
          expect(wider(before.access_expires_at, after.value.access_expires_at)).toBe(true);
          expect(wider(before.updates_supported_until, after.value.updates_supported_until)).toBe(true);
          expect(wider(before.device_limit ?? own, after.value.device_limit ?? own)).toBe(true);
        },
      ),
    );
  });
});

describe('a revoked entitlement', () => {
  test('a revoked entitlement gives no access from then on, and only the first revocation counts', () => {
    const revoked = revokedEntitlement(anEntitlement(), NOW);
    const holdings = { entitlements: [revoked], subscriptions: [] };
    expect(accessTo(aProduct(), [], holdings, NOW)).toEqual({ granted: false, reason: 'entitlement_revoked' });
    expect(revokedEntitlement(revoked, LATER)).toBe(revoked);
  });

  test('products that other entitlements still give are listed apart from the lost ones', () => {
    const catalog = aCatalog({
      products: [aProduct({ id: 1 }), aProduct({ id: 2 }), aProduct({ id: 100 })],
      bundles: [aBundle({ product_ids: [1, 2] })],
    });
    const ofBundle = revokedEntitlement(anEntitlement({ id: 5, product_id: 100 }), NOW);
    const holdings = { entitlements: [ofBundle, anEntitlement({ id: 6, product_id: 2 })], subscriptions: [] };
    const { usable, unusable } = reachOf(ofBundle, catalog, holdings, NOW);
    expect([usable.map(({ id }) => id), unusable.map(({ id }) => id)]).toEqual([[2], [1]]);
  });
});

describe('the grants of an account as rows', () => {
  const catalog = aCatalog({
    products: [aProduct({ id: 1, slug: 'memo' }), aProduct({ id: 100, slug: 'suite' })],
  });

  test('each row shows the state of an entitlement and its source, newest first', () => {
    const holdings = {
      entitlements: [
        anEntitlement({ id: 1, order_id: 12 }),
        anEntitlement({ id: 2, grant_type: 'bundle', source_product_id: 100, granted_at: addDays(NOW, -2) }),
        anEntitlement({ id: 3, product_id: 9, grant_type: 'grant', revoked_at: NOW, granted_at: addDays(NOW, -3) }),
      ],
      subscriptions: [
        aSubscription({ id: 4, starts_at: addDays(NOW, -1), ends_at: NOW, billing: aBill({ order_id: 13 }) }),
        aSubscription({ id: 5, starts_at: LATER, cancelled_at: NOW }),
      ],
    };
    expect(
      grantRows(holdings, catalog, NOW).map((row) => [row.id, row.kind, row.products, row.status, row.why]),
    ).toEqual([
      [5, 'subscription', ['memo'], 'pending', 'cancelled subscription'],
      [4, 'subscription', ['memo'], 'expired', 'subscription, order 13'],
      [2, 'entitlement', ['memo'], 'active', 'bundle of suite'],
      [3, 'entitlement', ['9'], 'revoked', 'grant'],
      [1, 'entitlement', ['memo'], 'active', 'purchase, order 12'],
    ]);
  });

  test('a subscription’s access lasts until its grace period ends, and its updates until the paid period ends', () => {
    const subscription = aSubscription({ ends_at: toInstant(Date.parse(NOW)), grace_days: 3 });
    expect(grantRows({ entitlements: [], subscriptions: [subscription] }, catalog, NOW)).toMatchObject([
      { status: 'active', access_expires_at: addDays(NOW, 3), updates_supported_until: NOW, units: 1 },
    ]);
  });

  test('a subscription has as many units as seats, and a renewal shows its end below the license that it renews', () => {
    const holdings = {
      entitlements: [
        anEntitlement({ granted_at: addDays(NOW, -9), access_expires_at: addDays(NOW, 1) }),
        anEntitlement({ id: 2, granted_at: addDays(NOW, -8), access_expires_at: addDays(NOW, -1), renews: true }),
      ],
      subscriptions: [aSubscription({ id: 3, product_ids: [9], units: { 9: 5 }, starts_at: addDays(NOW, -10) })],
    };
    expect(grantRows(holdings, catalog, NOW)).toMatchObject([
      { id: 2, status: 'active', why: 'renewal by purchase', access_expires_at: addDays(NOW, 8) },
      { id: 1, status: 'active', access_expires_at: addDays(NOW, 1) },
      { id: 3, units: 5 },
    ]);
  });
});
