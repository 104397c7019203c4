import * as z from 'zod';
import type { SoldLine } from '../../domain/sales/sale-event.ts';
import { factsOfStanding, renewalOf, statusNamed, TAKEN_BACK } from '../../domain/sales/standing.ts';
import type { PaymentProvider, ProviderSource } from '../../ports/outbound/sales.ts';
import * as body from './bodies.ts';
import { Listed, reading, silent } from './rest.ts';
import { standardWith } from './standard.ts';

/*
 * Events of Polar (https://polar.sh/docs/integrate/webhooks/events). Their shapes follow `WebhookOrderPaidPayload`,
 * `Subscription` and `Refund` in its public OpenAPI document. A product of Polar takes the place of a price.
 */

const NAME = 'polar';

const Customer = z.object({
  email: body.maybe(body.text),
  name: body.maybe(body.text),
  tax_id: body.printed(z.array(body.maybe(body.text))),
});

const buyerOf = ({ email, name }: z.output<typeof Customer>) => ({
  email: email ?? '',
  name,
  locale: null,
});

const Order = z.object({
  id: body.reference,
  created_at: body.moment,
  // A change to less is a credit (https://polar.sh/docs/guides/proration-for-subscription-changes).
  total_amount: z.int(),
  tax_amount: z.int(),
  discount_amount: z.int(),
  currency: body.currency,
  billing_reason: z.string(),
  product_id: body.maybe(body.reference),
  subscription_id: body.maybe(body.reference),
  seats: body.maybe(z.int().min(1)),
  customer: Customer,
  billing_name: body.printed(body.text),
  billing_address: body.printed(body.Address),
  invoice_number: body.printed(body.text),
  items: body.maybe(z.array(z.object({ label: z.string(), amount: z.int(), tax_amount: z.int() })).max(100)),
});

/**
 * The order's lines, from its items. The amounts of items exclude the order's discount. The first paid item is the
 * product.
 */
const linesOf = ({ items, product_id, seats, currency, ...order }: z.output<typeof Order>): SoldLine[] => {
  const { total_amount, discount_amount } = order;
  const product = { price: product_id ?? undefined, quantity: seats ?? 1 };
  const total_cents = body.minor(total_amount, currency);
  if (!items?.length)
    return [{ ...product, total_cents, discount_cents: body.minor(Math.max(0, discount_amount), currency) }];
  const main = items.findIndex(({ amount }) => amount >= 0);
  // If prices include tax, so do the amounts.
  const isWithTax = items.reduce((sum, { amount }) => sum + amount, 0) - discount_amount === total_amount;
  return items.map(({ label, amount, tax_amount }, n) => ({
    ...(n === Math.max(0, main) ? product : { quantity: 1 }),
    text: label,
    total_cents: body.minor(isWithTax ? amount : amount + tax_amount, currency),
    discount_cents: 0,
  }));
};

const Subscription = z.object({
  id: body.reference,
  status: z.string(),
  amount: body.maybe(body.cents),
  currency: body.currency,
  created_at: body.moment,
  started_at: body.maybe(body.moment),
  current_period_start: body.maybe(body.moment),
  current_period_end: body.maybe(body.moment),
  trial_end: body.maybe(body.moment),
  canceled_at: body.maybe(body.moment),
  ends_at: body.maybe(body.moment),
  ended_at: body.maybe(body.moment),
  product_id: body.reference,
  seats: body.maybe(z.int().min(0)),
  customer: Customer,
});

const Refund = z.object({
  id: body.reference,
  status: z.string(),
  created_at: body.moment,
  amount: body.cents,
  tax_amount: body.cents,
  currency: body.maybe(body.currency),
  order_id: body.reference,
  revoke_benefits: body.maybe(z.boolean()),
});

const orderTells = body.telling(Order, (order, at) => {
  const { id, created_at, subscription_id, billing_reason } = order;
  return body.oneSale(NAME, at, {
    kind: 'order',
    reference: id,
    buyer: buyerOf(order.customer),
    status: 'paid',
    ordered_at: created_at,
    paid_at: at,
    currency: order.currency,
    payment_method: NAME,
    total_cents: body.minor(order.total_amount, order.currency),
    vat_cents: body.minor(order.tax_amount, order.currency),
    receipt_url: null,
    billing: {
      name: order.billing_name,
      address: body.addressLines(order.billing_address),
      // Polar gives the number first and its kind second.
      tax_number: order.customer.tax_id?.[0] ?? null,
    },
    invoice: { number: order.invoice_number, url: null },
    subscription: subscription_id
      ? { reference: subscription_id, begins: billing_reason === 'subscription_create' }
      : null,
    lines: linesOf(order),
  });
});

const subscriptionTells = body.telling(Subscription, (subscription, at) => {
  const { status: stands, canceled_at, ended_at, amount, currency } = subscription;
  const status = ended_at === null ? statusNamed(stands) : 'expired';
  if (!status) return body.NO_SALE;
  const facts = factsOfStanding(at, {
    reference: subscription.id,
    buyer: buyerOf(subscription.customer),
    status,
    starts_at: subscription.started_at ?? subscription.created_at,
    period_starts_at: subscription.current_period_start,
    period_ends_at: subscription.current_period_end,
    trial_ends_at: subscription.trial_end,
    isCancelled: canceled_at !== null,
    cancelled_at: canceled_at,
    // A paused subscription lasts until the end of the paid period.
    ends_at: ended_at ?? subscription.ends_at ?? (status === 'paused' ? subscription.current_period_end : null),
    isUnpaid: stands === 'past_due' || stands === 'unpaid',
    things: [{ price: subscription.product_id, quantity: subscription.seats ?? 1 }],
    renewal: renewalOf([{ cents: body.minor(amount, currency), quantity: 1 }], currency),
  });
  return body.oneSale(NAME, at, facts);
});

const refundTells = body.telling(Refund, ({ id, status, created_at, order_id, ...refund }, at) => {
  if (status === 'pending') return body.NO_SALE;
  const amount_cents = body.minor(refund.amount + refund.tax_amount, refund.currency);
  return body.oneSale(NAME, at, {
    kind: 'refund',
    reference: id,
    order_reference: order_id,
    refunded_at: created_at,
    things: null,
    ...(status === 'succeeded' ? { amount_cents, cause: 'refund' } : TAKEN_BACK),
    ...(refund.revoke_benefits && { ends_access: true }),
  });
});

const TELLERS: body.Tellers = {
  'order.paid': orderTells,
  ...body.allOf(
    'subscription',
    'active canceled created past_due paused resumed revoked uncanceled updated',
    subscriptionTells,
  ),
  ...body.allOf('refund', 'created updated', refundTells),
};

const Page = z.object({ items: z.array(Listed), pagination: z.object({ total_count: z.int(), max_page: z.int() }) });

/** The lists of the API (https://polar.sh/docs/api-reference). */
const LISTS = [
  ['Orders', 'orders', 'order.paid'],
  ['Subscriptions', 'subscriptions', 'subscription.updated'],
  ['Refunds', 'refunds', 'refund.updated'],
] as const;

const sourceOf = (key: string, base: string): ProviderSource => {
  const api = { name: 'Polar', variable: 'POLAR_ACCESS_TOKEN', base };
  const read = reading(api, key);
  return {
    objects: async function* (since) {
      for (const [stage, path, type] of LISTS) {
        for (let page = 1, last = 1; page <= last; page++) {
          const found = Page.safeParse(await read(`/v1/${path}/?limit=100&page=${page}`)).data;
          if (!found) throw silent(api);
          last = found.pagination.max_page;
          for (const data of found.items) {
            const { id: reference, created_at, modified_at } = data;
            if (data['paid'] === false || (since !== null && stage !== 'Subscriptions' && created_at < since)) continue;
            const timestamp = stage === 'Subscriptions' ? (modified_at ?? created_at) : created_at;
            const body = JSON.stringify({ type, timestamp, data });
            yield { stage, total: found.pagination.total_count, reference, body };
          }
        }
      }
    },
  };
};

const signed = standardWith(NAME, TELLERS);

/** Reads the events of Polar, and its lists if there is an API key. */
export const polar = (
  secrets: readonly string[],
  key?: string | undefined,
  base = 'https://api.polar.sh',
): PaymentProvider => ({ ...signed(secrets), source: key === undefined ? undefined : sourceOf(key, base) });
