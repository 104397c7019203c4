import * as z from 'zod';
import type { SubscriptionFacts } from '../../domain/sales/sale-event.ts';
import {
  cents,
  currency,
  maybe,
  moment,
  NO_SALE,
  oneSale,
  reference,
  renewalOf,
  type Standing,
  subscriptionFacts,
  TAKEN_BACK,
  type Tellers,
  telling,
  text,
} from './bodies.ts';
import { standardWith } from './standard.ts';

/*
 * Events of Polar (https://polar.sh/docs/integrate/webhooks/events). Their shapes are those of `WebhookOrderPaidPayload`,
 * `Subscription` and `Refund` in its public OpenAPI document. Polar's product takes the place of a price.
 */

const NAME = 'polar';

const Customer = z.object({ email: maybe(text), name: maybe(text) });

const buyerOf = ({ email, name }: z.output<typeof Customer>) => ({
  email: email ?? '',
  name,
  locale: null,
});

const Order = z.object({
  id: reference,
  created_at: moment,
  total_amount: cents,
  tax_amount: cents,
  discount_amount: cents,
  currency,
  billing_reason: z.string(),
  product_id: maybe(reference),
  subscription_id: maybe(reference),
  customer: Customer,
});

const Subscription = z.object({
  id: reference,
  status: z.string(),
  amount: maybe(cents),
  currency,
  created_at: moment,
  started_at: maybe(moment),
  current_period_end: maybe(moment),
  trial_end: maybe(moment),
  canceled_at: maybe(moment),
  ends_at: maybe(moment),
  ended_at: maybe(moment),
  product_id: reference,
  customer: Customer,
});

const Refund = z.object({
  id: reference,
  status: z.string(),
  created_at: moment,
  amount: cents,
  tax_amount: cents,
  order_id: reference,
});

const STATUSES: Readonly<Record<string, SubscriptionFacts['status']>> = {
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  canceled: 'expired',
};

const orderTells = telling(Order, (order, at) => {
  const { id, created_at, product_id, subscription_id, billing_reason } = order;
  if (product_id === null) return NO_SALE;
  return oneSale(NAME, at, {
    kind: 'order',
    reference: id,
    buyer: buyerOf(order.customer),
    status: 'paid',
    ordered_at: created_at,
    paid_at: at,
    currency: order.currency,
    payment_method: NAME,
    total_cents: order.total_amount,
    vat_cents: order.tax_amount,
    receipt_url: null,
    subscription: subscription_id
      ? { reference: subscription_id, begins: billing_reason === 'subscription_create' }
      : null,
    lines: [{ price: product_id, quantity: 1, total_cents: order.total_amount, discount_cents: order.discount_amount }],
  });
});

const subscriptionTells = telling(Subscription, (subscription, at) => {
  const { status: stands, canceled_at, ended_at, amount } = subscription;
  const status = ended_at === null ? STATUSES[stands] : 'expired';
  if (!status) return NO_SALE;
  const standing: Standing = {
    reference: subscription.id,
    buyer: buyerOf(subscription.customer),
    status,
    starts_at: subscription.started_at ?? subscription.created_at,
    period_ends_at: subscription.current_period_end,
    trial_ends_at: subscription.trial_end,
    isCancelled: canceled_at !== null,
    cancelled_at: canceled_at,
    ends_at: ended_at ?? subscription.ends_at,
    prices: [subscription.product_id],
    renewal: renewalOf([{ cents: amount, quantity: 1 }], subscription.currency),
  };
  return oneSale(NAME, at, subscriptionFacts(standing, at));
});

const refundTells = telling(Refund, ({ id, status, created_at, amount, tax_amount, order_id }, at) => {
  if (status === 'pending') return NO_SALE;
  return oneSale(NAME, at, {
    kind: 'refund',
    reference: id,
    order_reference: order_id,
    refunded_at: created_at,
    things: null,
    ...(status === 'succeeded' ? { amount_cents: amount + tax_amount, cause: 'refund' } : TAKEN_BACK),
  });
});

const SUBSCRIPTION_EVENTS = 'active canceled created past_due revoked uncanceled updated'.split(' ');

const TELLERS: Tellers = {
  'order.paid': orderTells,
  ...Object.fromEntries(SUBSCRIPTION_EVENTS.map((event) => [`subscription.${event}`, subscriptionTells])),
  'refund.created': refundTells,
  'refund.updated': refundTells,
};

/** Reads the events of Polar. */
export const polar = standardWith(NAME, TELLERS);
