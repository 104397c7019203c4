import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Access,
  accessTo,
  type GrantedAccess,
  productsGranting,
  renewedEntitlements,
  slotEnd,
} from '../../../domain/licensing/access.ts';
import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import { extendedAsStored } from '../../../domain/licensing/grant-change.ts';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { aBundle, anEntitlement, aProduct, aSubscription, NOW } from '../../support/builders.ts';

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
      edition: null,
      features: [],
      metadata: {},
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

  test('access takes the latest end and the latest window of all entitlements in force', () => {
    const first = anEntitlement({ access_expires_at: TOMORROW, updates_supported_until: NEXT_YEAR });
    const second = anEntitlement({ id: 2, access_expires_at: NEXT_YEAR, updates_supported_until: TOMORROW });
    expect(access([first, second])).toMatchObject({ access_expires_at: NEXT_YEAR, updates_supported_until: NEXT_YEAR });
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

  test('the device limit counts per unit bought, by the entitlement’s limit or, without one, the product’s', () => {
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

describe('the devices of several grants', () => {
  const app = aProduct({ device_limit: 3 });
  const bought = anEntitlement({ order_id: 1, order_item_id: 1 });
  const again = anEntitlement({ id: 2, order_id: 2, order_item_id: 1 });
  const seats = aSubscription({ units: { 1: 5 } });
  const gift = anEntitlement({ id: 3, grant_type: 'gift', device_limit: 4 });
  const trial = aSubscription({ id: 2, status: 'trialing', ends_at: TOMORROW });

  test.each<[string, Entitlement[], Subscription[], number | null]>([
    ['two purchases are added', [bought, again], [], 6],
    ['two lines of one order are added', [bought, { ...again, order_id: 1, order_item_id: 2 }], [], 6],
    ['a purchase and a subscription of five seats are added', [bought], [seats], 18],
    ['two subscriptions with different ends are added', [], [seats, trial], 18],
    [
      'a subscription within its days of grace is added',
      [bought],
      [{ ...trial, ends_at: YESTERDAY, grace_days: 3 }],
      6,
    ],
    ['a subscription that has ended is not', [bought], [{ ...trial, ends_at: YESTERDAY }], 3],
    ['a purchase that was refunded is not', [bought, { ...again, revoked_at: YESTERDAY }], [], 3],
    ['seats with a limit of their own are added with that', [bought], [{ ...seats, device_limit: 2 }], 13],
    ['a bundle that was bought is added as a purchase', [bought, { ...again, product_id: 100 }], [], 6],
    [
      'a bundle and its product, of one line of an order, are one purchase',
      [
        { ...again, product_id: 100 },
        { ...again, id: 4, grant_type: 'bundle', source_product_id: 100 },
      ],
      [],
      3,
    ],
    ['a gift counts where it allows more than all purchases', [bought, gift], [], 4],
    ['a gift is not added', [bought, again, gift], [], 6],
    ['two gifts are not added', [gift, { ...gift, id: 4 }], [], 4],
  ])('%s', (_, entitlements, subscriptions, limit) => {
    expect(access(entitlements, subscriptions, app)).toMatchObject({ device_limit: limit });
  });

  test('an unlimited entitlement makes the sum unlimited, and only the highest counts if the product says so', () => {
    expect(access([bought, again], [], aProduct())).toMatchObject({ device_limit: null });
    expect(access([bought, again], [seats], aProduct({ device_limit: 3, stacking: 'highest' }))).toMatchObject({
      device_limit: 15,
    });
  });

  test('a device runs offline only as long as its slot is within the limit', () => {
    const held = access([{ ...bought, access_expires_at: NEXT_YEAR }], [trial], app);
    expect(held).toMatchObject({ device_limit: 6, access_expires_at: NEXT_YEAR });
    if (!held.granted) throw new Error('it is granted');
    expect([1, 3, 4, 6, 9].map((used) => slotEnd(held, used))).toEqual([
      NEXT_YEAR,
      NEXT_YEAR,
      TOMORROW,
      TOMORROW,
      TOMORROW,
    ]);
  });
});

const ends = (access_expires_at: string | null, updates_supported_until: string | null, device_limit: number) => ({
  granted: true,
  access_expires_at,
  updates_supported_until,
  device_limit,
});

describe('a renewal', () => {
  const app = aProduct({ device_limit: 3 });
  const day = (n: number) => addDays('2026-01-01T00:00:00.000Z', n);
  /** A purchase on a day with this many days of access and updates; null means forever. */
  const paid = (id: number, on: number, access: number | null, updates: number | null, more = {}): Entitlement =>
    anEntitlement({
      id,
      order_id: id,
      order_item_id: 1,
      granted_at: day(on),
      access_expires_at: access === null ? null : day(on + access),
      updates_supported_until: updates === null ? null : day(on + updates),
      ...more,
    });
  const renewed = (id: number, on: number, access: number | null, updates: number | null, more = {}): Entitlement =>
    paid(id, on, access, updates, { renews: true, ...more });
  const on = (n: number, entitlements: Entitlement[], subscriptions: Subscription[] = []) =>
    accessTo(app, [aBundle()], { entitlements, subscriptions }, day(n));
  const first = paid(1, 0, 100, 100);
  const takenBack = { revoked_at: day(60) };

  test.each<[string, number, Entitlement[], Subscription[], object]>([
    [
      'extends access and updates from their end',
      60,
      [first, renewed(2, 50, 100, 100)],
      [],
      ends(day(200), day(200), 3),
    ],
    [
      'adds no devices once what it extends has ended',
      150,
      [first, renewed(2, 50, 100, 100)],
      [],
      ends(day(200), day(200), 3),
    ],
    ['begins at its payment where nothing is there', 10, [renewed(2, 5, 100, 100)], [], ends(day(105), day(105), 3)],
    [
      'begins at its payment where all has ended',
      150,
      [first, renewed(2, 140, 100, 100)],
      [],
      ends(day(240), day(240), 3),
    ],
    [
      'extends the updates alone of what is for good',
      500,
      [paid(1, 0, null, 100), renewed(2, 50, null, 100)],
      [],
      ends(null, day(200), 3),
    ],
    [
      'begins its updates at the payment where those have ended',
      200,
      [paid(1, 0, null, 100), renewed(2, 150, null, 100)],
      [],
      ends(null, day(250), 3),
    ],
    [
      'extends a renewal',
      60,
      [first, renewed(2, 50, 100, 100), renewed(3, 55, 30, 30)],
      [],
      ends(day(230), day(230), 3),
    ],
    [
      'takes back just its own days',
      60,
      [first, renewed(2, 50, 100, 100, takenBack), renewed(3, 55, 30, 30)],
      [],
      ends(day(130), day(130), 3),
    ],
    [
      'keeps its days where what it extended was refunded',
      70,
      [{ ...first, ...takenBack }, renewed(2, 50, 100, 100)],
      [],
      ends(day(150), day(150), 3),
    ],
    [
      'of one unit keeps one unit of two',
      150,
      [{ ...first, source_quantity: 2 }, renewed(2, 50, 100, 100)],
      [],
      ends(day(200), day(200), 3),
    ],
    [
      'has as many devices a unit as what it extends',
      150,
      [{ ...first, device_limit: 5 }, renewed(2, 50, 100, 100)],
      [],
      ends(day(200), day(200), 5),
    ],
    [
      'extends a bundle with the product',
      150,
      [{ ...first, product_id: 100 }, renewed(2, 50, 100, 100)],
      [],
      ends(day(200), day(200), 3),
    ],
    [
      'begins at the end of a subscription',
      60,
      [renewed(2, 50, 100, 100)],
      [aSubscription({ starts_at: day(0), ends_at: day(100) })],
      ends(day(200), day(200), 3),
    ],
    [
      'gets nothing for good from a gift that ended before',
      150,
      [paid(1, 0, 30, null), renewed(2, 50, 200, 100)],
      [],
      ends(day(250), day(150), 3),
    ],
  ])('%s', (_, n, entitlements, subscriptions, expected) => {
    expect(on(n, entitlements, subscriptions)).toMatchObject(expected);
    expect(on(n, entitlements.toReversed(), subscriptions)).toMatchObject(expected);
  });

  test('a renewal shows the end of its access, which an operator can extend', () => {
    const holdings = { entitlements: [first, renewed(2, 50, 100, 100)], subscriptions: [] };
    const shown = renewedEntitlements(holdings, [])[1] as Entitlement;
    expect(shown).toMatchObject({ access_expires_at: day(200), updates_supported_until: day(200) });
    const stored = extendedAsStored(holdings.entitlements[1] as Entitlement, shown, {
      ...shown,
      access_expires_at: day(230),
    });
    expect(renewedEntitlements({ entitlements: [first, stored], subscriptions: [] }, [])[1]).toMatchObject({
      access_expires_at: day(230),
      updates_supported_until: day(200),
    });
  });

  const days = fc.constantFrom(null, 10, 30, 100);
  const sale = fc.record({
    on: fc.integer({ min: 0, max: 60 }),
    access: days,
    updates: days,
    units: fc.integer({ min: 1, max: 3 }),
    renews: fc.boolean(),
    back: fc.boolean(),
  });

  test('purchases, renewals and refunds give the same access in any order', () => {
    const shuffled = fc
      .array(sale, { maxLength: 6 })
      .map((sales) =>
        sales.map(({ on: from, access: a, updates: u, units, renews, back }, n) =>
          paid(n + 1, from, a, u, { source_quantity: units, ...(renews && { renews }), ...(back && takenBack) }),
        ),
      )
      .chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray(all, { minLength: all.length }),
          fc.integer({ min: 0, max: 300 }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([all, other, n]) => {
        expect(on(n, other)).toEqual(on(n, all));
        const ofAll = (list: Entitlement[]) =>
          renewedEntitlements({ entitlements: list, subscriptions: [] }, []).toSorted((a, b) => a.id - b.id);
        expect(ofAll(other)).toEqual(ofAll(all));
      }),
      { numRuns: 2000 },
    );
  });

  test('a renewal adds exactly its days to access with an end, and no devices before that end', () => {
    fc.assert(
      fc.property(
        fc.array(sale, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(10, 30, 100),
        fc.integer({ min: 61, max: 300 }),
        (sales, span, n) => {
          const all = sales.map(({ on: from, access: a, updates: u, units, renews }, i) =>
            paid(i + 1, from, a, u, { source_quantity: units, ...(renews && { renews }) }),
          );
          const before = on(n, all);
          fc.pre(before.granted && on(61, all).granted);
          if (!before.granted) return;
          const after = on(n, [...all, renewed(99, 61, span, span)]);
          const was = on(61, all);
          expect(after).toMatchObject({ device_limit: before.device_limit });
          if (was.granted && was.access_expires_at !== null)
            expect(after).toMatchObject({ access_expires_at: addDays(was.access_expires_at, span) });
        },
      ),
      { numRuns: 2000 },
    );
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
