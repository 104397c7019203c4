import type { Price } from '../../domain/catalog/product.ts';
import type { OrderFacts, RefundFacts, SaleEvent, SubscriptionFacts } from '../../domain/sales/sale-event.ts';
import { aProduct } from './builders.ts';

/** The address of the buyer in all of these events. */
export const EMAIL = 'buyer@example.com';
export const buyer = { email: EMAIL, name: 'A Buyer', locale: null };
/** A moment within one hour. */
export const at = (minute: number): string => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`;

export const aPrice = (id: string, terms: Partial<Price> = {}): Price => ({
  provider: 'stripe',
  id,
  device_limit: null,
  access_days: null,
  updates_days: null,
  grace_days: 0,
  apps: null,
  ...terms,
});

/** Products with the prices in the events. */
export const PRODUCTS = [
  aProduct({ id: 1, slug: 'timer', prices: [aPrice('p-timer', { updates_days: 365, device_limit: 2 })] }),
  aProduct({ id: 2, slug: 'notes', prices: [aPrice('p-notes'), aPrice('p-apps', { grace_days: 3 })] }),
  aProduct({ id: 3, slug: 'memo', prices: [aPrice('p-apps', { grace_days: 3 })] }),
];

/** A payment for a timer and for notes. */
export const order = (facts: Partial<OrderFacts> = {}, minute = 1): SaleEvent => ({
  provider: 'stripe',
  happened_at: at(minute),
  facts: {
    kind: 'order',
    reference: 'pay-1',
    buyer,
    status: 'paid',
    ordered_at: at(0),
    paid_at: at(1),
    currency: 'USD',
    payment_method: 'card',
    total_cents: 3000,
    vat_cents: 300,
    receipt_url: null,
    subscription: null,
    lines: [
      { price: 'p-timer', quantity: 1, total_cents: 2000, discount_cents: 0 },
      { price: 'p-notes', quantity: 1, total_cents: 1000, discount_cents: 500 },
    ],
    ...facts,
  },
});

/** A refund of the whole payment. */
export const refund = (facts: Partial<RefundFacts> = {}, minute = 5): SaleEvent => ({
  provider: 'stripe',
  happened_at: at(minute),
  facts: {
    kind: 'refund',
    reference: 'refund-1',
    order_reference: 'pay-1',
    refunded_at: at(minute),
    amount_cents: null,
    things: null,
    cause: 'refund',
    ...facts,
  },
});

/** A subscription to two apps. */
export const subscription = (facts: Partial<SubscriptionFacts> = {}, minute = 1): SaleEvent => ({
  provider: 'stripe',
  happened_at: at(minute),
  facts: {
    kind: 'subscription',
    reference: 'sub-1',
    buyer,
    status: 'active',
    starts_at: at(0),
    ends_at: '2026-12-20T10:00:00.000Z',
    cancelled_at: null,
    trial_ends_at: null,
    next_charge_at: '2026-12-20T10:00:00.000Z',
    renewal_amount_cents: 900,
    renewal_currency: 'USD',
    update_payment_method_url: null,
    things: [{ price: 'p-apps' }],
    ...facts,
  },
});

/** A payment of the subscription. */
export const period = (reference: string, begins: boolean, minute = 1): SaleEvent =>
  order(
    {
      reference,
      subscription: { reference: 'sub-1', begins },
      total_cents: 900,
      vat_cents: null,
      lines: [{ price: 'p-apps', quantity: 1, total_cents: 900, discount_cents: 0 }],
    },
    minute,
  );
