import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accessTo, type GrantedAccess, seatLimit, slotEnd } from '../../../domain/licensing/access.ts';
import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { aBundle, anEntitlement, aProduct, aSubscription } from '../../support/builders.ts';

const day = (n: number) => addDays('2026-01-01T00:00:00.000Z', n);

const APP = aProduct({
  device_limit: 3,
  features: ['open'],
  editions: [
    { name: 'basic', features: ['save'] },
    { name: 'pro', features: ['save', 'export'] },
    { name: 'studio', features: ['batch'] },
  ],
});

/** A sale on a day, with its terms. */
const sold = (id: number, on: number, more: Partial<Entitlement> = {}): Entitlement =>
  anEntitlement({ id, order_id: id, order_item_id: 1, granted_at: day(on), ...more });

const holding = (entitlements: readonly Entitlement[], on: number, subscriptions: readonly Subscription[] = []) =>
  accessTo(APP, [aBundle()], { entitlements, subscriptions }, day(on));
const held = (entitlements: readonly Entitlement[], on = 100, subscriptions: readonly Subscription[] = []) => {
  const access = holding(entitlements, on, subscriptions);
  if (!access.granted) throw new Error(access.reason);
  return access;
};

const BASIC = sold(1, 0, { edition: 'basic' });
const PRO = sold(2, 0, { edition: 'pro' });
const UPGRADE = sold(3, 50, { edition: 'pro', upgrades_from: ['basic'] });
const ADD_ON = sold(4, 10, { features: ['sync'], requires: ['pro'] });

describe('the edition and the features of an account', () => {
  test.each([
    ['one of the product’s editions', [BASIC], 'basic', ['open', 'save']],
    ['the highest of several, with the features of each', [PRO, BASIC], 'pro', ['export', 'open', 'save']],
    ['the lowest for a license from before there were editions', [sold(1, 0)], 'basic', ['open', 'save']],
    [
      'the lowest for an edition that the product has no more',
      [sold(1, 0, { edition: 'old' })],
      'basic',
      ['open', 'save'],
    ],
    ['the features of the sale beside it', [{ ...BASIC, features: ['sync'] }], 'basic', ['open', 'save', 'sync']],
    ['those of a bundle', [sold(1, 0, { product_id: 100, edition: 'pro' })], 'pro', ['export', 'open', 'save']],
  ])('the edition and the features of an account are %s', (_, entitlements, edition, features) => {
    expect(held(entitlements)).toMatchObject({ edition, features });
  });

  test('the terms of a product without editions and features are empty', () => {
    const access = accessTo(aProduct(), [], { entitlements: [sold(1, 0)], subscriptions: [] }, day(1));
    expect(access).toMatchObject({ edition: null, features: [], metadata: {} });
  });

  test('the texts are the product’s, overridden by those of the newest license that has any', () => {
    const product = { ...APP, metadata: { a: 'product', b: 'product' } };
    const entitlements = [sold(2, 9), sold(1, 1, { metadata: { b: 'old' } }), sold(3, 2, { metadata: { b: 'new' } })];
    expect(accessTo(product, [], { entitlements, subscriptions: [] }, day(10))).toMatchObject({
      metadata: { a: 'product', b: 'new' },
    });
  });

  test('a token ends with the richest edition that it contains, even if the access goes on', () => {
    const pro = aSubscription({ starts_at: day(0), ends_at: day(120), grace_days: 0, edition: 'pro' });
    const access = held([BASIC], 100, [pro]);
    expect([access.access_expires_at, access.edition, slotEnd(access, 1)]).toEqual([null, 'pro', day(120)]);
    expect(slotEnd(held([BASIC], 130, [pro]), 1)).toBe(null);
    expect(slotEnd(held([PRO], 100, [pro]), 1)).toBe(null);
  });
});

describe('an add-on', () => {
  test('an add-on gives its features while a license of its editions is held, without access or devices', () => {
    expect(held([PRO, ADD_ON])).toMatchObject({ features: ['export', 'open', 'save', 'sync'], device_limit: 3 });
    expect(held([BASIC, ADD_ON]).features).not.toContain('sync');
    expect(held([BASIC, { ...ADD_ON, requires: [] }]).features).toContain('sync');
    expect(holding([ADD_ON], 100)).toEqual({ granted: false, reason: 'not_entitled' });
  });

  test('an add-on continues beside a license of its edition after the product stops listing it', () => {
    const [license, addOn] = [sold(1, 0, { edition: 'old' }), { ...ADD_ON, requires: ['old'] }];
    expect(held([license, addOn])).toMatchObject({ edition: 'basic', features: ['open', 'save', 'sync'] });
  });

  test('a renewal extends only the license and not the add-on', () => {
    const year = sold(1, 0, { access_expires_at: day(365) });
    const renewal = sold(5, 20, { renews: true, access_expires_at: day(20 + 365) });
    expect(held([year, { ...ADD_ON, requires: [] }, renewal]).access_expires_at).toBe(day(730));
  });
});

describe('a renewal of updates only', () => {
  const renewal = sold(5, 300, { renews: true, updates_supported_until: day(300 + 365) });
  const license = sold(1, 0, { updates_supported_until: day(365) });

  test.each([
    ['before the updates end, begins there', license, renewal, day(730)],
    ['after they ended, begins at its payment', license, { ...renewal, granted_at: day(400) }, day(400 + 265)],
    ['refunded, extends nothing', license, { ...renewal, revoked_at: day(350) }, day(365)],
  ])('a renewal of updates only %s, and leaves access and devices unchanged', (_, ...[
    one,
    other,
    updates_supported_until,
  ]) => {
    expect(held([one, other], 410)).toMatchObject({
      access_expires_at: null,
      updates_supported_until,
      device_limit: 3,
    });
  });

  test('a renewal of updates only does not make a one-year license perpetual', () => {
    const year = { ...license, access_expires_at: day(365) };
    expect(held([year, renewal], 364)).toMatchObject({ access_expires_at: day(365), device_limit: 3 });
    expect(holding([year, renewal], 366)).toMatchObject({ granted: false, ended_at: day(365) });
  });
});

describe('an upgrade', () => {
  test('an upgrade replaces a license of a named edition and keeps its devices', () => {
    expect(held([BASIC], 49).device_limit).toBe(3);
    expect(held([BASIC, UPGRADE])).toMatchObject({ edition: 'pro', device_limit: 3 });
    expect(held([{ ...BASIC, device_limit: 5 }, UPGRADE])).toMatchObject({ device_limit: 5 });
    expect(held([BASIC, { ...UPGRADE, device_limit: 2 }])).toMatchObject({ device_limit: 2 });
  });

  test('a refund or an expired upgrade reactivates the license before it', () => {
    expect(held([BASIC, { ...UPGRADE, revoked_at: day(60) }])).toMatchObject({ edition: 'basic', device_limit: 3 });
    const limited = { ...UPGRADE, access_expires_at: day(80), device_limit: 9 };
    expect(held([BASIC, limited], 79)).toMatchObject({ edition: 'pro', device_limit: 9 });
    expect(held([BASIC, limited], 81)).toMatchObject({ edition: 'basic', device_limit: 3 });
  });

  test.each([
    ['nothing', [], 3],
    ['a license of another edition', [{ ...PRO, edition: 'studio' }], 6],
    ['a license that ended before', [{ ...BASIC, access_expires_at: day(40) }], 3],
    ['a license that was bought later', [{ ...BASIC, granted_at: day(60) }], 6],
    ['a license from before there were editions, as of the lowest', [sold(1, 0)], 3],
  ])('an upgrade beside %s counts %i devices', (_, others, device_limit) => {
    expect(held([...others, UPGRADE])).toMatchObject({ edition: expect.stringMatching(/pro|studio/), device_limit });
  });

  test.each([5, 2])('an upgrade of %i of five seats leaves each person the devices of one unit', (source_quantity) => {
    const holdings = {
      entitlements: [
        { ...BASIC, source_quantity: 5 },
        { ...UPGRADE, source_quantity },
      ],
      subscriptions: [],
    };
    const places = [{ account_id: 9, product_id: APP.id, role: 'member' as const, holdings }];
    const team = { ...APP, slots: 'persons' as const };
    const person = accessTo(team, [], { entitlements: [], subscriptions: [], places }, day(100));
    expect(person).toMatchObject({ edition: 'pro', device_limit: 3 });
    expect(seatLimit(team, [], holdings, day(100))).toBe(5);
  });

  test('an upgrade of one unit leaves the other units, and one of several units replaces several licenses', () => {
    expect(held([{ ...BASIC, source_quantity: 5 }, UPGRADE]).device_limit).toBe(15);
    const [other, both] = [sold(9, 1, { edition: 'basic' }), { ...UPGRADE, source_quantity: 2 }];
    expect(held([BASIC, other, both]).device_limit).toBe(6);
  });

  test('an upgrade replaces a renewed license, and a renewal keeps the edition', () => {
    const year = { ...BASIC, access_expires_at: day(90) };
    const renewal = sold(5, 20, { renews: true, access_expires_at: day(20 + 365) });
    expect(held([year, renewal], 95)).toMatchObject({ edition: 'basic', device_limit: 3 });
    expect(held([year, renewal, UPGRADE], 95)).toMatchObject({ edition: 'pro', device_limit: 3 });
    const pro = { ...PRO, access_expires_at: day(90) };
    expect(held([pro, renewal], 95)).toMatchObject({ edition: 'pro' });
  });

  test('a renewal that names an edition extends only licenses of that edition', () => {
    const pro = { ...PRO, access_expires_at: day(90) };
    const renewal = sold(5, 20, { renews: true, edition: 'pro', access_expires_at: day(20 + 30) });
    expect(held([BASIC, pro, renewal], 119)).toMatchObject({ edition: 'pro', device_limit: 6 });
    expect(held([BASIC, pro, renewal], 121)).toMatchObject({ edition: 'basic', device_limit: 3 });
  });

  test('an upgrade can be upgraded again and can be a subscription', () => {
    const studio = sold(6, 60, { edition: 'studio', upgrades_from: ['basic', 'pro'] });
    expect(held([BASIC, UPGRADE, studio])).toMatchObject({ edition: 'studio', device_limit: 3 });
    expect(held([BASIC, { ...UPGRADE, revoked_at: day(70) }, studio]).device_limit).toBe(3);
    const plan = aSubscription({ starts_at: day(20), ends_at: null, edition: 'pro', upgrades_from: ['basic'] });
    expect(held([BASIC], 100, [plan])).toMatchObject({ edition: 'pro', device_limit: 3 });
  });
});

describe('any set of entitlements', () => {
  const name = fc.constantFrom('basic', 'pro', 'studio');
  const grant = fc.record(
    {
      on: fc.nat(60),
      units: fc.integer({ min: 1, max: 4 }),
      device_limit: fc.option(fc.integer({ min: 1, max: 5 })),
      days: fc.option(fc.integer({ min: 1, max: 200 })),
      edition: name,
      upgrades_from: fc.uniqueArray(name, { minLength: 1 }),
      requires: fc.uniqueArray(name),
      revoked: fc.boolean(),
    },
    { requiredKeys: ['on', 'units', 'device_limit', 'days', 'revoked'] },
  );
  const grants = fc.array(grant, { maxLength: 6 }).map((all) =>
    all.map(({ on, units, days, revoked, ...terms }, n) =>
      sold(n + 1, on, {
        source_quantity: units,
        access_expires_at: days === null ? null : day(on + days),
        revoked_at: revoked ? day(on + 1) : null,
        ...terms,
      }),
    ),
  );
  const limitOf = (access: ReturnType<typeof holding>) => (access.granted ? access.device_limit : 0) ?? 0;

  test('the terms do not depend on the order in which entitlements are read', () => {
    fc.assert(
      fc.property(grants, fc.nat(300), (all, on) => {
        expect(holding([...all].reverse(), on)).toEqual(holding(all, on));
      }),
    );
  });

  test('refunded entitlements do not affect the terms', () => {
    fc.assert(
      fc.property(grants, fc.nat(300), (all, on) => {
        const access = holding(all, on);
        const bought = all.filter(({ revoked_at }) => revoked_at === null);
        expect(access.granted ? access : false).toEqual(access.granted && holding(bought, on));
        expect(holding(bought, on).granted).toBe(access.granted);
      }),
    );
  });

  test('an upgrade loses no device, edition or feature and gains at most its own units', () => {
    fc.assert(
      fc.property(
        grants,
        fc.uniqueArray(name, { minLength: 1 }),
        fc.integer({ min: 1, max: 4 }),
        (all, from, units) => {
          const upgrade = sold(99, 70, { source_quantity: units, edition: 'studio', upgrades_from: from });
          const [before, after] = [holding(all, 70), held([...all, upgrade], 70)];
          expect(limitOf(after)).toBeGreaterThanOrEqual(limitOf(before));
          expect(limitOf(after)).toBeLessThanOrEqual(limitOf(before) + 5 * units);
          if (before.granted) expect(after.features).toEqual(expect.arrayContaining([...before.features]));
        },
      ),
    );
  });

  test('the edition and features of a token hold until the token ends', () => {
    fc.assert(
      fc.property(grants, fc.nat(100), (all, on) => {
        const now = holding(all, on);
        if (!now.granted) return;
        const end = slotEnd(now, 0) ?? day(400);
        const last = accessTo(
          APP,
          [],
          { entitlements: all, subscriptions: [] },
          new Date(Date.parse(end) - 1).toISOString(),
        );
        expect(last.granted).toBe(true);
        expect((last as GrantedAccess).features).toEqual(expect.arrayContaining([...now.features]));
      }),
    );
  });
});
