import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accessTo } from '../../../domain/licensing/access.ts';
import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import { isOpenOffer, newOffer, transferPlan } from '../../../domain/licensing/transfer.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { aBundle, anEntitlement, aProduct, aSubscription, NOW } from '../../support/builders.ts';

const PRODUCTS = new Map([1, 2, 3].map((id) => [id, aProduct({ id, device_limit: 2 })]));
const BUNDLES = [aBundle({ id: 1, product_id: 3, product_ids: [1, 2] })];
const GOODS = { products: PRODUCTS, bundles: BUNDLES };

const planOf = (entitlements: readonly Entitlement[], id: number, more = {}) =>
  transferPlan({ entitlements, subscriptions: [], ...more }, id, GOODS, NOW, []);

const idsOf = (plan: ReturnType<typeof planOf>) => plan.ok && plan.value.entitlements.map(({ id }) => id);

describe('a license that is transferred to another account', () => {
  const base = anEntitlement({ id: 1, product_id: 1 });
  const renewal = anEntitlement({ id: 2, product_id: 1, renews: true, access_expires_at: addDays(NOW, 9) });

  test('renewals are transferred with the only license of the product', () => {
    expect(idsOf(planOf([base, renewal], 1))).toEqual([1, 2]);
    expect(planOf([base, renewal], 2)).toMatchObject({ code: 'not_transferable' });
  });

  test('renewals stay with another license of the product, including a subscription or a bundle', () => {
    const other = anEntitlement({ id: 3, product_id: 3 });
    expect(idsOf(planOf([base, renewal, other], 1))).toEqual([1]);
    const subscriptions = [aSubscription({ id: 4, product_ids: [1] })];
    expect(idsOf(planOf([base, renewal], 1, { subscriptions }))).toEqual([1]);
  });

  test('a renewal without a license is transferred alone', () => {
    expect(idsOf(planOf([renewal], 2))).toEqual([2]);
    expect(idsOf(planOf([{ ...base, revoked_at: NOW }, renewal], 2))).toEqual([2]);
  });

  test('an upgrade or an add-on is transferred only with its license', () => {
    const upgrade = anEntitlement({ id: 2, product_id: 1, edition: 'pro', upgrades_from: ['basic'] });
    const addOn = anEntitlement({ id: 3, product_id: 1, requires: [] });
    expect(idsOf(planOf([addOn, upgrade, base], 1))).toEqual([1, 3, 2]);
    expect([2, 3].map((id) => planOf([base, upgrade, addOn], id).ok)).toEqual([false, false]);
    expect(idsOf(planOf([base, upgrade, addOn, anEntitlement({ id: 4, product_id: 1 })], 1))).toEqual([1]);
    expect(idsOf(planOf([upgrade, addOn], 2))).toEqual([2, 3]);
  });

  test.each([
    ['that was revoked', { revoked_at: NOW }],
    ['that has ended', { access_expires_at: NOW }],
    ['of a subscription', { grant_type: 'subscription' as const }],
  ])('a license %s is not transferred', (_, more) => {
    expect(planOf([anEntitlement({ id: 1, ...more })], 1)).toMatchObject({ code: 'not_transferable' });
  });

  test('a subscription is not transferred, because its payments go on', () => {
    const subscriptions = [aSubscription({ id: 4, product_ids: [1] })];
    expect(planOf([], 4, { subscriptions })).toMatchObject({ code: 'not_transferable' });
    expect(planOf([], 5)).toMatchObject({ code: 'grant_not_found' });
  });

  test('keys and devices of a bundle’s products are transferred if no other license gives the products', () => {
    const bundle = anEntitlement({ id: 1, product_id: 3 });
    const one = anEntitlement({ id: 2, product_id: 1 });
    const plan = planOf([bundle, one], 1);
    expect(plan.ok && plan.value.products.map(({ id }) => id)).toEqual([2]);
  });

  test('a transfer can be accepted for 14 days', () => {
    const offer = newOffer({ from: 1, into: 2, entitlement_id: 1, product_id: 1, email: 'a@example.com' }, NOW);
    expect([isOpenOffer(offer, NOW), isOpenOffer(offer, addDays(NOW, 14))]).toEqual([true, false]);
  });

  const anyGrant = fc.record({
    product_id: fc.constantFrom(1, 2, 3),
    renews: fc.boolean(),
    revoked: fc.boolean(),
    days: fc.option(fc.integer({ min: -30, max: 30 })),
    quantity: fc.integer({ min: 1, max: 3 }),
  });

  test('a transfer adds no devices or days, and takes keys along only if the sender loses access', () => {
    fc.assert(
      fc.property(fc.array(anyGrant, { minLength: 1, maxLength: 5 }), (grants) => {
        const entitlements = grants.map(({ product_id, renews, revoked, days, quantity }, n) =>
          anEntitlement({
            id: n + 1,
            product_id,
            order_id: n + 1,
            order_item_id: 1,
            source_quantity: quantity,
            granted_at: addDays(NOW, -40 + n),
            ...(renews && { renews }),
            revoked_at: revoked ? NOW : null,
            access_expires_at: days === null ? null : addDays(NOW, days),
          }),
        );
        for (const { id } of entitlements) {
          const plan = planOf(entitlements, id);
          if (!plan.ok) continue;
          const moved = plan.value.entitlements;
          const rest = entitlements.filter((one) => !moved.includes(one));
          for (const product of PRODUCTS.values()) {
            const of = (some: readonly Entitlement[]) =>
              accessTo(product, BUNDLES, { entitlements: some, subscriptions: [] }, NOW);
            const [whole, left, gone] = [of(entitlements), of(rest), of(moved)];
            const limit = (access: typeof whole) => (access.granted ? (access.device_limit ?? Number.NaN) : 0);
            // A renewal counts devices once the license that it renews has ended, or that license is elsewhere.
            const sold = entitlements.filter((one) => one.renews && one.revoked_at === null);
            const dormant = sold.reduce((sum, { source_quantity }) => sum + 2 * source_quantity, 0);
            expect(limit(left) + limit(gone)).toBeLessThanOrEqual(limit(whole) + dormant);
            if (plan.value.products.includes(product)) expect(left.granted).toBe(false);
            const end = (access: typeof whole) => (access.granted ? (access.access_expires_at ?? '9999') : '');
            expect([end(left), end(gone)].every((one) => one <= end(whole))).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
