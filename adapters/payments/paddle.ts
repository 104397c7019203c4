import { NodeRuntime, Webhooks, WebhooksValidator } from '@paddle/paddle-node-sdk';
import * as z from 'zod';
import type { SubscriptionFacts } from '../../domain/sales/sale-event.ts';
import type { PaymentProvider } from '../../ports/outbound/payment-provider.ts';
import {
  buyerNamed,
  centsText,
  currency,
  eventId,
  MAX_AGE_SECONDS,
  maybe,
  moment,
  NO_SALE,
  oneSale,
  reference,
  renewalOf,
  type Standing,
  signedEvent,
  subscriptionFacts,
  TAKEN_BACK,
  type Tellers,
  tellerOf,
  telling,
  text,
} from './bodies.ts';

/*
 * Events of Paddle Billing (https://developer.paddle.com/webhooks), each with the entity of its type. Their shapes are
 * those of the types `I…NotificationResponse` in the package `@paddle/paddle-node-sdk`. No event but a customer's own has
 * the buyer's address, so that the others wait for that one.
 */

const NAME = 'paddle';

// The package takes a signature for five seconds, which a busy machine exceeds; it has no option for that.
Object.assign(WebhooksValidator, { MAX_VALID_TIME_DIFFERENCE: MAX_AGE_SECONDS });
NodeRuntime.initialize();

const Customer = z.object({ id: reference, email: text, name: maybe(text), locale: maybe(text) });

const Transaction = z.object({
  id: reference,
  customer_id: maybe(reference),
  subscription_id: maybe(reference),
  origin: z.string(),
  currency_code: currency,
  created_at: moment,
  billed_at: maybe(moment),
  payments: z.array(
    z.object({ status: z.string(), method_details: maybe(z.object({ type: text })), captured_at: maybe(moment) }),
  ),
  details: z.object({
    totals: z.object({ total: centsText, tax: centsText }),
    line_items: z
      .array(
        z.object({
          price_id: reference,
          quantity: z.int().min(0),
          totals: z.object({ total: centsText, discount: centsText }),
        }),
      )
      .max(100),
  }),
});

/** A completed transaction. A paid one may not name its subscription yet; the completed one follows it. */
const transactionTells = telling(Transaction, async (transaction, at, find) => {
  const { id, customer_id, subscription_id, details, origin } = transaction;
  if (!customer_id) return NO_SALE;
  const buyer = await buyerNamed(find, customer_id);
  if (!buyer.ok) return buyer;
  const payment = transaction.payments.find(({ status }) => status === 'captured');
  return oneSale(NAME, at, {
    kind: 'order',
    reference: id,
    buyer: buyer.value,
    status: 'paid',
    ordered_at: transaction.created_at,
    paid_at: payment?.captured_at ?? transaction.billed_at ?? at,
    currency: transaction.currency_code,
    payment_method: payment?.method_details?.type ?? NAME,
    total_cents: details.totals.total,
    vat_cents: details.totals.tax,
    receipt_url: null,
    subscription: subscription_id ? { reference: subscription_id, begins: !origin.startsWith('subscription_') } : null,
    lines: details.line_items.map(({ price_id, quantity, totals }) => ({
      price: price_id,
      quantity,
      total_cents: totals.total,
      discount_cents: totals.discount,
    })),
  });
});

const Period = z.object({ starts_at: moment, ends_at: moment });

const Subscription = z.object({
  id: reference,
  status: z.string(),
  customer_id: reference,
  created_at: moment,
  started_at: maybe(moment),
  paused_at: maybe(moment),
  canceled_at: maybe(moment),
  current_billing_period: maybe(Period),
  scheduled_change: maybe(z.object({ action: z.string(), effective_at: moment })),
  items: z
    .array(
      z.object({
        quantity: z.int().min(0),
        trial_dates: maybe(Period),
        price: z.object({
          id: reference,
          unit_price: maybe(z.object({ amount: centsText, currency_code: currency })),
        }),
      }),
    )
    .min(1)
    .max(100),
});

const STATUSES: Readonly<Record<string, SubscriptionFacts['status']>> = {
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  canceled: 'expired',
  paused: 'expired',
};

const subscriptionTells = telling(Subscription, async (subscription, at, find) => {
  const status = STATUSES[subscription.status];
  if (!status) return NO_SALE;
  const buyer = await buyerNamed(find, subscription.customer_id);
  if (!buyer.ok) return buyer;
  const { items, scheduled_change: change, canceled_at, paused_at } = subscription;
  const money = items.map(({ price }) => price.unit_price);
  const units = items.map(({ quantity }, n) => ({ cents: money[n]?.amount ?? null, quantity }));
  const isCancelled = change?.action === 'cancel' || change?.action === 'pause';
  const standing: Standing = {
    reference: subscription.id,
    buyer: buyer.value,
    status,
    starts_at: subscription.started_at ?? subscription.created_at,
    period_ends_at: subscription.current_billing_period?.ends_at ?? null,
    trial_ends_at: items[0]?.trial_dates?.ends_at ?? null,
    isCancelled,
    cancelled_at: canceled_at ?? (isCancelled ? at : null),
    ends_at: canceled_at ?? paused_at ?? change?.effective_at ?? null,
    prices: items.map(({ price }) => price.id),
    renewal: renewalOf(units, money[0]?.currency_code),
  };
  return oneSale(NAME, at, subscriptionFacts(standing, at));
});

const Adjustment = z.object({
  id: reference,
  action: z.string(),
  type: maybe(z.string()),
  transaction_id: reference,
  status: z.string(),
  created_at: moment,
  totals: z.object({ total: centsText }),
});

/** Credits move no money. A reversed chargeback is an adjustment of its own, which does not name the one it reverses. */
const adjustmentTells = telling(Adjustment, ({ id, action, type, transaction_id, status, created_at, totals }, at) => {
  if ((action !== 'refund' && action !== 'chargeback') || !['approved', 'reversed'].includes(status)) return NO_SALE;
  return oneSale(NAME, at, {
    kind: 'refund',
    reference: id,
    order_reference: transaction_id,
    refunded_at: created_at,
    things: null,
    ...(status === 'reversed' ? TAKEN_BACK : { amount_cents: type === 'full' ? null : totals.total, cause: action }),
  });
});

const customerTells = telling(Customer, ({ id, ...buyer }) => ({
  ok: true,
  value: { events: [], names: { [id]: { buyer } } },
}));

const SUBSCRIPTION_EVENTS = 'activated canceled created imported past_due paused resumed trialing updated'.split(' ');

const TELLERS: Tellers = {
  'customer.created': customerTells,
  'customer.imported': customerTells,
  'customer.updated': customerTells,
  'transaction.completed': transactionTells,
  ...Object.fromEntries(SUBSCRIPTION_EVENTS.map((event) => [`subscription.${event}`, subscriptionTells])),
  'adjustment.created': adjustmentTells,
  'adjustment.updated': adjustmentTells,
};

const HEAD = z
  .object({ event_id: eventId, event_type: text })
  .transform(({ event_id, event_type }) => ({ id: event_id, type: event_type }));

const EVENT = z
  .object({ event_type: z.string(), occurred_at: moment, data: z.unknown() })
  .transform(({ event_type, occurred_at, data }) => ({ type: event_type, at: occurred_at, data }));

/** The parts of a signature `ts=…;h1=…` with a given name; while a secret is rotated, there are two `h1`. */
const partsOf = (signature: string, name: string): string[] =>
  signature.split(';').flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));

/** Reads the events of Paddle Billing. */
export const paddle = (secrets: readonly string[]): PaymentProvider => ({
  name: NAME,
  verify: (raw, headers, now) => {
    const signature = headers['paddle-signature'] ?? '';
    const [ts = ''] = partsOf(signature, 'ts');
    const hashes = partsOf(signature, 'h1').slice(0, 4);
    const fits = async (body: Buffer, secret: string): Promise<boolean> => {
      const fitting = hashes.map((h1) => new Webhooks().isSignatureValid(body.toString(), secret, `ts=${ts};h1=${h1}`));
      return (await Promise.all(fitting)).includes(true);
    };
    return signedEvent({
      raw,
      signedAt: /^\d{1,12}$/.test(ts) ? Number(ts) : Number.NaN,
      now,
      secrets,
      fits,
      head: HEAD,
    });
  },
  tell: tellerOf(TELLERS, EVENT),
});
