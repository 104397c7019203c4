import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  entitlementUnderRefund,
  invoiceUnderRefund,
  type OrderRecords,
  type RefundInput,
  refundEffect,
  refundsLeftOut,
  subscriptionUnderRefund,
  withKeptRefunds,
} from '../../../domain/billing/refund.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { contradictions } from '../../../domain/store-document/billing-contradictions.ts';
import { aBill, anEntitlement, anInvoice, anOrder, anOrderItem, aSubscription, NOW } from '../../support/builders.ts';
import { done } from '../../support/outcomes.ts';

const WHOLE: RefundInput = { item_ids: [], keeps_access: false, reason: null };

const twoItems = [anOrderItem({ id: 1, product_id: 1 }), anOrderItem({ id: 2, product_id: 2, total_cents: 700 })];

const bought = (more: Partial<OrderRecords> = {}): OrderRecords => ({
  order: anOrder({ id: 5, items: twoItems }),
  entitlements: [
    anEntitlement({ id: 1, order_id: 5, order_item_id: 1 }),
    anEntitlement({ id: 2, product_id: 2, order_id: 5, order_item_id: 2 }),
  ],
  subscriptions: [],
  invoices: [anInvoice({ order_id: 5 })],
  ...more,
});

/** The records after the refund is written. */
const refunded = (records: OrderRecords, input: Partial<RefundInput> = {}, now = NOW): OrderRecords => {
  const { order, changed } = done(refundEffect(records, { ...WHOLE, ...input }, now));
  const put = <T extends { readonly id: number }>(all: readonly T[], some: readonly T[]): T[] =>
    all.map((one) => some.find(({ id }) => id === one.id) ?? one);
  return {
    order,
    entitlements: put(records.entitlements, changed.entitlements),
    subscriptions: put(records.subscriptions, changed.subscriptions),
    invoices: put(records.invoices, changed.invoices),
  };
};

const told = ({ order, ...held }: OrderRecords) => contradictions({ orders: [order], ...held }, NOW);

describe('a refund of a whole order', () => {
  test('the order is refunded, its entitlements are revoked at that moment, and its invoice is refunded', () => {
    const { order, entitlements, invoices } = refunded(bought(), { reason: 'Never arrived' });
    expect(order).toMatchObject({
      status: 'refunded',
      refunds: [{ refunded_at: NOW, item_ids: null, keeps_access: false, reason: 'Never arrived' }],
    });
    expect(entitlements.map(({ revoked_at }) => revoked_at)).toEqual([NOW, NOW]);
    expect(invoices.map(({ status }) => status)).toEqual(['refunded']);
  });

  test('the refunded amount is the sum of the items', () => {
    expect(done(refundEffect(bought(), WHOLE, NOW)).amount_cents).toBe(2600);
  });

  test('an unpaid invoice becomes void when its order is refunded', () => {
    const open = anInvoice({ order_id: 5, status: 'open', paid_at: null });
    expect(refunded(bought({ invoices: [open] })).invoices).toMatchObject([{ status: 'void', paid_at: null }]);
  });

  test('an entitlement that has not begun is revoked at its beginning', () => {
    const later = anEntitlement({ order_id: 5, order_item_id: 1, granted_at: addDays(NOW, 9) });
    expect(refunded(bought({ entitlements: [later] })).entitlements).toMatchObject([{ revoked_at: addDays(NOW, 9) }]);
  });

  test('an entitlement that was already revoked keeps its time of revocation', () => {
    const revoked = anEntitlement({ order_id: 5, order_item_id: 1, revoked_at: addDays(NOW, -9) });
    expect(done(refundEffect(bought({ entitlements: [revoked] }), WHOLE, NOW)).changed.entitlements).toEqual([]);
  });

  test.each([
    'pending',
    'cancelled',
  ] as const)('a refund of an order that is %s is refused, because nobody has paid', (status) => {
    const order = anOrder({ status, paid_at: null });
    expect(refundEffect(bought({ order }), WHOLE, NOW)).toMatchObject({ code: 'order_not_paid' });
  });

  test.each([
    'refunded',
    'withdrawn',
  ] as const)('the money of an order that was imported as %s is not returned again', (status) => {
    const order = anOrder({ id: 5, status, items: twoItems });
    const effect = done(refundEffect(bought({ order }), WHOLE, NOW));
    expect(effect).toMatchObject({ amount_cents: 0, order: { status }, changed: { entitlements: [{}, {}] } });
    const nothingLeft = bought({ order, entitlements: [], invoices: [] });
    expect(done(refundEffect(nothingLeft, WHOLE, NOW))).toMatchObject({ order: { status }, changed: { order: null } });
  });

  test('the amount is unknown for an order that was partly refunded elsewhere', () => {
    const order = anOrder({ id: 5, status: 'partially_refunded', items: twoItems });
    expect(done(refundEffect(bought({ order }), WHOLE, NOW)).amount_cents).toBeNull();
  });
});

describe('a refund of items', () => {
  test('only the named item is refunded, and the invoice stays paid', () => {
    const { order, entitlements, invoices } = refunded(bought(), { item_ids: [2] });
    expect(order.status).toBe('partially_refunded');
    expect(entitlements.map(({ revoked_at }) => revoked_at)).toEqual([null, NOW]);
    expect(invoices).toMatchObject([{ status: 'paid' }]);
  });

  test('a refund of the last item refunds the order and returns only the price of that item', () => {
    const part = refunded(bought(), { item_ids: [2] });
    const rest = done(refundEffect(part, WHOLE, addDays(NOW, 1)));
    expect(rest).toMatchObject({ amount_cents: 1900, order: { status: 'refunded' } });
    expect(refunded(part, { item_ids: [1] }).invoices).toMatchObject([{ status: 'refunded' }]);
  });

  test('an item that the order lacks is refused with a list of the order’s items', () => {
    expect(refundEffect(bought(), { ...WHOLE, item_ids: [3] }, NOW)).toMatchObject({
      code: 'item_not_found',
      message: 'Order O-5 has no item 3; its items are 1 (product 1), 2 (product 2).',
    });
  });
});

describe('a refund that keeps access', () => {
  test('the buyer gets the money back and keeps the products', () => {
    const kept = refunded(bought(), { keeps_access: true });
    expect(kept.order.status).toBe('refunded');
    expect(kept.entitlements.map(({ revoked_at }) => revoked_at)).toEqual([null, null]);
    expect(told(kept)).toEqual([]);
  });

  test('a later full refund revokes access and returns no further money', () => {
    const kept = refunded(bought(), { keeps_access: true });
    const effect = done(refundEffect(kept, WHOLE, addDays(NOW, 1)));
    expect(effect).toMatchObject({ amount_cents: 0, changed: { entitlements: [{}, {}] } });
    expect(effect.order.refunds?.map(({ keeps_access }) => keeps_access)).toEqual([true, false]);
    expect(effect.changed.order).toBe(effect.order);
  });
});

describe('the subscription of a refunded order', () => {
  const running = aSubscription({
    product_ids: [3],
    ends_at: addDays(NOW, 90),
    grace_days: 7,
    billing: aBill({ order_id: 5, next_charge_at: addDays(NOW, 90), trial_ends_at: addDays(NOW, 10) }),
  });

  test('the subscription ends at once, without grace, and is not charged again', () => {
    const records = refunded(bought({ subscriptions: [running] }));
    expect(records.subscriptions).toMatchObject([
      {
        status: 'cancelled',
        cancelled_at: NOW,
        ends_at: NOW,
        billing: { next_charge_at: null, trial_ends_at: NOW, order_id: 5 },
      },
    ]);
    expect(told(records)).toEqual([]);
  });

  test('a subscription that has not begun ends at its beginning', () => {
    const later = { ...running, starts_at: addDays(NOW, 5), billing: aBill({ order_id: 5 }) };
    const records = refunded(bought({ subscriptions: [later] }));
    expect(records.subscriptions).toMatchObject([{ ends_at: addDays(NOW, 5), cancelled_at: addDays(NOW, 5) }]);
    expect(told(records)).toEqual([]);
  });

  test('a subscription that is over stays as it is', () => {
    const over = { ...running, ends_at: addDays(NOW, -90), billing: aBill({ order_id: 5 }) };
    expect(done(refundEffect(bought({ subscriptions: [over] }), WHOLE, NOW)).changed.subscriptions).toEqual([]);
  });

  test('the refund of an unrelated item leaves the subscription running', () => {
    const sold = { ...running, product_ids: [2] };
    expect(refunded(bought({ subscriptions: [sold] }), { item_ids: [1] }).subscriptions).toEqual([sold]);
    expect(refunded(bought({ subscriptions: [sold] }), { item_ids: [2] }).subscriptions).toMatchObject([
      { ends_at: NOW },
    ]);
  });

  test('the refund of a renewal order reports that the original subscription continues', () => {
    const order = anOrder({ id: 5, subscription_name: { en: 'Apps' } });
    expect(done(refundEffect(bought({ order }), WHOLE, NOW)).leaves_subscription).toBe(true);
    expect(done(refundEffect(bought({ order, subscriptions: [running] }), WHOLE, NOW)).leaves_subscription).toBe(false);
  });
});

describe('an imported record after a refund', () => {
  const { order } = refunded(bought());
  const { refunds: _, ...asBefore } = order;

  test('an older import without refunds keeps the order refunded, and an empty list undoes the refund', () => {
    const paid = { ...asBefore, status: 'paid' as const };
    expect(withKeptRefunds(paid, order)).toEqual(order);
    expect(withKeptRefunds({ ...paid, refunds: [] }, order)).toEqual(paid);
  });

  test('the refunds that an imported order names are added to the stored ones, which stay unchanged', () => {
    const [first, second] = [NOW, addDays(NOW, 1)].map((refunded_at, n) => ({
      refunded_at,
      item_ids: [n + 1],
      keeps_access: false,
      reason: null,
    }));
    if (!first || !second) throw new Error('There are two.');
    const stored = withKeptRefunds({ ...asBefore, status: 'paid', refunds: [second] }, undefined);
    const named = [{ ...second, keeps_access: true }, first];
    expect(withKeptRefunds({ ...stored, refunds: named }, stored)).toMatchObject({
      status: 'refunded',
      refunds: [first, second],
    });
    expect(refundsLeftOut({ ...stored, refunds: [first] }, stored)).toEqual([second]);
    expect(refundsLeftOut({ ...stored, refunds: named }, stored)).toEqual([]);
  });

  test('an order that the shop marks as withdrawn stays withdrawn', () => {
    expect(withKeptRefunds({ ...asBefore, status: 'withdrawn' }, order).status).toBe('withdrawn');
  });

  test('records of another order stay unchanged', () => {
    const other = anEntitlement({ order_id: 6, order_item_id: 1 });
    expect(entitlementUnderRefund(other, order)).toBe(other);
    const bill = anInvoice({ order_id: 6 });
    expect(invoiceUnderRefund(bill, order)).toBe(bill);
    const subscription = aSubscription({ billing: aBill({ order_id: 6 }) });
    expect(subscriptionUnderRefund(subscription, order)).toBe(subscription);
  });
});

const inputs = fc.array(
  fc.record({ item_ids: fc.subarray([1, 2]), keeps_access: fc.boolean(), reason: fc.constant(null) }),
  { maxLength: 5 },
);
const days = fc.integer({ min: -400, max: 400 }).map((n) => addDays(NOW, n));
const subscriptions = fc
  .record({
    starts: days,
    length: fc.option(fc.integer({ min: 0, max: 400 })),
    grace: fc.constantFrom(0, 7),
    charge: days,
  })
  .map(({ starts, length, grace, charge }) =>
    aSubscription({
      starts_at: starts,
      ends_at: length === null ? null : addDays(starts, length),
      grace_days: grace,
      billing: aBill({ order_id: 5, next_charge_at: charge }),
    }),
  );

describe('any sequence of refunds', () => {
  test('repeating a refund changes nothing and returns no money again', () => {
    fc.assert(
      fc.property(inputs, subscriptions, days, (run, subscription, granted_at) => {
        let records = bought({ subscriptions: [subscription] });
        records = { ...records, entitlements: records.entitlements.map((one) => ({ ...one, granted_at })) };
        let sum = 0;
        for (const [n, input] of run.entries()) {
          sum += done(refundEffect(records, input, addDays(NOW, n))).amount_cents ?? 0;
          records = refunded(records, input, addDays(NOW, n));
          expect(done(refundEffect(records, input, addDays(NOW, n + 1)))).toMatchObject({
            amount_cents: 0,
            changed: { order: null, entitlements: [], subscriptions: [], invoices: [] },
          });
        }
        expect(sum).toBeLessThanOrEqual(2600);
        expect(told(records)).toEqual([]);
      }),
    );
  });
});

test('a full refund after the refund of one item returns the rest of the money', () => {
  const part = refunded(bought(), { item_ids: [1], keeps_access: true });
  expect(done(refundEffect(part, { ...WHOLE, keeps_access: true }, addDays(NOW, 1)))).toMatchObject({
    amount_cents: 700,
    order: { status: 'refunded' },
  });
});
