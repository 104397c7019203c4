import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { VAT_RATE } from '../../domain/billing/money.ts';
import type { Provider, ThingName } from '../../domain/sales/sale-event.ts';
import type { PaymentProvider } from '../../ports/outbound/sales.ts';
import * as body from './bodies.ts';

/*
 * Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): the
 * signature of a shop's own system and of Polar. The bodies here come from a shop's own system, `{type, timestamp,
 * data}`, with the fields of `domain/sales/sale-event.ts` as data (docs/running.md).
 */

const NAME = 'shop';

const named = { price: body.reference.optional(), product: body.reference.optional() };
const isNamed = ({ price, product }: ThingName): boolean => price !== undefined || product !== undefined;
const NAMELESS = 'must name a price, a product or both';
const Thing = z.strictObject(named).refine(isNamed, NAMELESS);
const units = { quantity: z.int().min(0).default(1) };
const Subscribed = z.strictObject({ ...named, ...units }).refine(isNamed, NAMELESS);

const Line = z
  .strictObject({
    ...named,
    ...units,
    total_cents: z.int(),
    discount_cents: body.cents.default(0),
    text: body.text.optional(),
  })
  .refine((line) => isNamed(line) || line.text !== undefined, `${NAMELESS}, or else have a text`);

const Period = z.strictObject({ starts_at: body.moment, ends_at: body.moment });

const Buyer = z.strictObject({ email: body.text, name: body.maybe(body.text), locale: body.maybe(body.text) });

const Billing = z.strictObject({
  name: body.maybe(body.text),
  address: body.maybe(body.text),
  tax_number: body.maybe(body.text),
});

const Order = z.strictObject({
  reference: body.reference,
  buyer: Buyer,
  status: z.enum(['pending', 'paid', 'cancelled']).default('paid'),
  ordered_at: body.moment,
  paid_at: body.maybe(body.moment),
  currency: body.currency,
  payment_method: body.text.default('other'),
  total_cents: body.cents,
  vat_cents: body.maybe(body.cents),
  receipt_url: body.maybe(body.link),
  billing: Billing.optional(),
  invoice: z.strictObject({ number: body.maybe(body.text), url: body.maybe(body.link) }).optional(),
  vat_rate: z.string().regex(VAT_RATE).optional(),
  test: z.boolean().optional(),
  subscription: body.maybe(
    z.strictObject({ reference: body.reference, begins: z.boolean(), period: body.maybe(Period) }),
  ),
  lines: z.array(Line).min(1).max(100),
});

const Subscription = z.strictObject({
  reference: body.reference,
  buyer: Buyer,
  status: z.enum(['trialing', 'active', 'past_due', 'unpaid', 'paused', 'cancelled', 'expired']),
  starts_at: body.moment,
  ends_at: body.maybe(body.moment),
  due_since: body.maybe(body.moment),
  cancelled_at: body.maybe(body.moment),
  trial_ends_at: body.maybe(body.moment),
  next_charge_at: body.maybe(body.moment),
  renewal_amount_cents: body.maybe(body.cents),
  renewal_currency: body.maybe(body.currency),
  update_payment_method_url: body.maybe(body.link),
  things: z.array(Subscribed).min(1).max(100),
});

const Refund = z.strictObject({
  reference: body.reference,
  order_reference: body.reference,
  refunded_at: body.moment,
  amount_cents: body.maybe(body.cents),
  things: body.maybe(z.array(Thing).min(1).max(100)),
  cause: z.enum(['refund', 'chargeback']).default('refund'),
});

const TELLERS: body.Tellers = {
  order: body.telling(Order, (facts, at) => body.oneSale(NAME, at, { kind: 'order', ...facts })),
  subscription: body.telling(Subscription, (facts, at) => body.oneSale(NAME, at, { kind: 'subscription', ...facts })),
  refund: body.telling(Refund, (facts, at) => body.oneSale(NAME, at, { kind: 'refund', ...facts })),
};

const EVENT = z
  .object({ type: z.string(), timestamp: body.moment, data: z.unknown() })
  .transform(({ type, timestamp, data }) => ({ type, at: timestamp, data }));

const TYPE = z.object({ type: body.text });
const HEAD = z.object({ id: body.event_id, type: z.string() });

/** A secret of Standard Webhooks is `whsec_` and base64; any other secret is used as plain text. */
const webhookOf = (secret: string): Webhook =>
  secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });

/** A provider that signs with Standard Webhooks and sends bodies `{type, timestamp, data}`. */
export const standardWith =
  (name: Provider, tellers: body.Tellers) =>
  (secrets: readonly string[]): PaymentProvider => ({
    name,
    verify: (raw, headers, now) => {
      const id = headers['webhook-id'] ?? '';
      const signedAt = Number(headers['webhook-timestamp'] || Number.NaN);
      const signature = headers['webhook-signature'] ?? '';
      const signed = { 'webhook-id': id, 'webhook-timestamp': String(signedAt), 'webhook-signature': signature };
      const fits = (sent: Buffer, secret: string) => webhookOf(secret).verify(sent, signed, { jsonParse: false });
      const head = TYPE.transform(({ type }) => ({ id, type })).pipe(HEAD);
      return body.signedEvent({ raw, signedAt, now, secrets, fits, head });
    },
    tell: body.tellerOf(tellers, EVENT),
  });

export const standard = standardWith(NAME, TELLERS);
