import { describe, expect, test } from 'vitest';
import type { Order } from '../../../domain/billing/order.ts';
import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { type Contradiction, contradictions } from '../../../domain/store-document/billing-contradictions.ts';
import { aBill, anEntitlement, anOrder, aSubscription, NOW } from '../../support/builders.ts';

const YESTERDAY = addDays(NOW, -1);
const TOMORROW = addDays(NOW, 1);
const NEXT_MONTH = addDays(NOW, 30);

type Held = { orders?: Order[]; entitlements?: Entitlement[]; subscriptions?: Subscription[] };

const found = (held: Held): Contradiction[] =>
  contradictions({ orders: [], entitlements: [], subscriptions: [], ...held }, NOW);

/** Each contradiction as `severity member: message`. */
const lines = (held: Held): string[] =>
  found(held).map(({ severity, member, message }) => `${severity} ${member}: ${message}`);

const bought = (overrides: Partial<Entitlement> = {}) => anEntitlement({ order_id: 1, order_item_id: 1, ...overrides });

describe('contradictions of an order and its entitlements', () => {
  test('an entitlement of a paid order contradicts nothing', () => {
    expect(found({ orders: [anOrder()], entitlements: [bought()] })).toEqual([]);
  });

  test.each([
    'refunded',
    'withdrawn',
    'cancelled',
    'pending',
  ] as const)('an entitlement that gives access although its order is %s causes a warning', (status) => {
    expect(found({ orders: [anOrder({ status })], entitlements: [bought({ id: 8 })] })).toEqual([
      {
        severity: 'warning',
        kind: 'entitlement',
        id: 8,
        member: 'revoked_at',
        order_id: 1,
        message: `order O-1 is ${status}, and entitlement 8 still gives access; set its revoked_at, unless the buyer may use the product`,
      },
    ]);
  });

  test('an entitlement that was revoked or has ended fits a refunded order', () => {
    const orders = [anOrder({ status: 'refunded' })];
    expect(found({ orders, entitlements: [bought({ revoked_at: YESTERDAY })] })).toEqual([]);
    expect(found({ orders, entitlements: [bought({ access_expires_at: YESTERDAY })] })).toEqual([]);
  });

  test('an entitlement whose access ends before it was granted is a fault', () => {
    expect(lines({ entitlements: [anEntitlement({ granted_at: NOW, access_expires_at: YESTERDAY })] })).toEqual([
      'fault access_expires_at: must not lie before granted_at',
    ]);
    expect(lines({ entitlements: [anEntitlement({ granted_at: NOW, access_expires_at: NOW })] })).toEqual([]);
  });

  test('an entitlement that was revoked before it was granted causes a warning', () => {
    expect(lines({ entitlements: [anEntitlement({ granted_at: NOW, revoked_at: YESTERDAY })] })).toEqual([
      'warning revoked_at: lies before granted_at, so the grant was never in force; check both dates',
    ]);
  });
});

describe('contradictions of a subscription', () => {
  const of = (overrides: Partial<Subscription>) => lines({ subscriptions: [aSubscription(overrides)] });

  test('a running subscription and one that is over contradict nothing', () => {
    expect(of({ ends_at: TOMORROW, billing: aBill({ next_charge_at: TOMORROW, trial_ends_at: NOW }) })).toEqual([]);
    expect(of({ status: 'expired', ends_at: YESTERDAY })).toEqual([]);
    expect(of({ status: 'cancelled', cancelled_at: YESTERDAY, ends_at: TOMORROW })).toEqual([]);
  });

  test('an expired subscription that ends in the future is a fault', () => {
    expect(of({ status: 'expired', ends_at: TOMORROW })).toEqual([
      'fault ends_at: lies in the future, so the subscription gives access and cannot be expired; set the end that it had, or another status',
    ]);
  });

  test('an expired subscription in its grace period causes a warning', () => {
    expect(of({ status: 'expired', ends_at: YESTERDAY, grace_days: 7 })).toEqual([
      `warning grace_days: give access until ${addDays(YESTERDAY, 7)} although the subscription is expired; set 0 to end it`,
    ]);
  });

  test('a trial that ends outside the subscription is a fault', () => {
    const ends_at = NEXT_MONTH;
    expect(of({ ends_at, billing: aBill({ trial_ends_at: addDays(ends_at, 1) }) })).toEqual([
      'fault billing.trial_ends_at: must not lie after ends_at',
    ]);
    expect(of({ starts_at: NOW, billing: aBill({ trial_ends_at: YESTERDAY }) })).toEqual([
      'fault billing.trial_ends_at: must not lie before starts_at',
    ]);
    expect(of({ ends_at, billing: aBill({ trial_ends_at: ends_at }) })).toEqual([]);
  });

  test('a subscription that is cancelled before it begins and still gives access causes a warning', () => {
    expect(of({ starts_at: TOMORROW, cancelled_at: NOW, ends_at: NEXT_MONTH })).toEqual([
      `warning cancelled_at: lies before starts_at, and the subscription gives access until ${NEXT_MONTH} all the same; set ends_at to starts_at if it should give none`,
    ]);
    expect(of({ starts_at: TOMORROW, cancelled_at: NOW, ends_at: TOMORROW })).toEqual([]);
  });

  test('equal times contradict nothing', () => {
    expect(of({ status: 'expired', ends_at: NOW })).toEqual([]);
    expect(of({ starts_at: NOW, billing: aBill({ trial_ends_at: NOW }) })).toEqual([]);
    expect(of({ cancelled_at: NOW, ends_at: TOMORROW, billing: aBill({ next_charge_at: NOW }) })).toEqual([]);
  });

  test('a charge after the cancellation causes a warning', () => {
    const billing = aBill({ next_charge_at: NEXT_MONTH });
    expect(of({ cancelled_at: YESTERDAY, ends_at: TOMORROW, billing })).toEqual([
      'warning billing.next_charge_at: lies after cancelled_at, and buyers are not shown it; leave it out, or the cancellation',
    ]);
  });
});
