import { expect, test } from 'vitest';
import type { Order, Refund } from '../../../domain/billing/order.ts';
import { orderUnderRefund } from '../../../domain/billing/refund.ts';
import { saleEvents } from '../../../domain/webhooks/events.ts';
import { anOrder, NOW } from '../../support/builders.ts';

const of = (...refunds: readonly Partial<Refund>[]): Order =>
  orderUnderRefund({
    ...anOrder(),
    refunds: refunds.map((one) => ({ refunded_at: NOW, item_ids: null, keeps_access: false, reason: null, ...one })),
  });
const DISPUTE = { kind: 'dispute' } as const;
const PART = { item_ids: [], keeps_access: true, amount_cents: 500 };

test.each<[string, Order, Order, string]>([
  ['a refund', of(), of({}), 'sale.refunded'],
  ['a further refund', of(PART), of(PART, { amount_cents: 1400 }), 'sale.refunded'],
  ['a refund that failed', of(PART), of(), 'sale.changed'],
  ['a payment', { ...of(), paid_at: null }, of(), 'sale.paid'],
  ['a payment after one', { ...of(), paid_at: null, was_paid: true }, { ...of(), was_paid: true }, 'sale.changed'],
  ['a dispute', of(), of(DISPUTE), 'sale.disputed'],
  ['a dispute about an order that was refunded', of({}), of({}, DISPUTE), 'sale.disputed'],
  ['a dispute that the shop won', of(DISPUTE), of(), 'sale.changed'],
  ['a dispute that the shop pays', of(DISPUTE), of({}), 'sale.refunded'],
])('the sale event %s has its own name', (_, before, after, kind) => {
  expect(saleEvents(before, after).map((event) => event.kind)).toEqual([kind]);
});
