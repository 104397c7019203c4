import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import type { Provider, SoldThing } from '../../domain/sales/sale-event.ts';
import type { PaymentProvider } from '../../ports/outbound/payment-provider.ts';
import {
  cents,
  currency,
  eventId,
  link,
  maybe,
  moment,
  oneSale,
  reference,
  signedEvent,
  type Tellers,
  tellerOf,
  telling,
  text,
} from './bodies.ts';

/*
 * Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): the
 * signature of a shop's own system and of Polar. The bodies here are a shop's own, `{type, timestamp, data}`, with the
 * facts of `domain/sales/sale-event.ts` as data (docs/running.md).
 */

const NAME = 'shop';

const priced = { price: reference };
const named = { product: reference };
const Thing: z.ZodType<SoldThing> = z.union([z.strictObject(priced), z.strictObject(named)]);

const amounts = { quantity: z.int().min(1).default(1), total_cents: cents, discount_cents: cents.default(0) };
const Line = z.union([z.strictObject({ ...priced, ...amounts }), z.strictObject({ ...named, ...amounts })]);

const Buyer = z.strictObject({ email: text, name: maybe(text), locale: maybe(text) });

const Order = z.strictObject({
  reference,
  buyer: Buyer,
  status: z.enum(['pending', 'paid', 'cancelled']).default('paid'),
  ordered_at: moment,
  paid_at: maybe(moment),
  currency,
  payment_method: text.default('other'),
  total_cents: cents,
  vat_cents: maybe(cents),
  receipt_url: maybe(link),
  subscription: maybe(z.strictObject({ reference, begins: z.boolean() })),
  lines: z.array(Line).min(1).max(100),
});

const Subscription = z.strictObject({
  reference,
  buyer: Buyer,
  status: z.enum(['trialing', 'active', 'past_due', 'cancelled', 'expired']),
  starts_at: moment,
  ends_at: maybe(moment),
  cancelled_at: maybe(moment),
  trial_ends_at: maybe(moment),
  next_charge_at: maybe(moment),
  renewal_amount_cents: maybe(cents),
  renewal_currency: maybe(currency),
  update_payment_method_url: maybe(link),
  things: z.array(Thing).min(1).max(100),
});

const Refund = z.strictObject({
  reference,
  order_reference: reference,
  refunded_at: moment,
  amount_cents: maybe(cents),
  things: maybe(z.array(Thing).min(1).max(100)),
  cause: z.enum(['refund', 'chargeback']).default('refund'),
});

const TELLERS: Tellers = {
  order: telling(Order, (facts, at) => oneSale(NAME, at, { kind: 'order', ...facts })),
  subscription: telling(Subscription, (facts, at) => oneSale(NAME, at, { kind: 'subscription', ...facts })),
  refund: telling(Refund, (facts, at) => oneSale(NAME, at, { kind: 'refund', ...facts })),
};

const EVENT = z
  .object({ type: z.string(), timestamp: moment, data: z.unknown() })
  .transform(({ type, timestamp, data }) => ({ type, at: timestamp, data }));

const TYPE = z.object({ type: text });

/** The secret of the specification is base64 after `whsec_`; any other secret counts as the text that it is. */
const webhookOf = (secret: string): Webhook =>
  secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });

/** A provider that signs by Standard Webhooks and has bodies `{type, timestamp, data}`. */
export const standardWith =
  (name: Provider, tellers: Tellers) =>
  (secrets: readonly string[]): PaymentProvider => ({
    name,
    verify: (raw, headers, now) => {
      const id = eventId.safeParse(headers['webhook-id']).data ?? '';
      const signedAt = Number(headers['webhook-timestamp'] || Number.NaN);
      const signature = headers['webhook-signature'] ?? '';
      const signed = { 'webhook-id': id, 'webhook-timestamp': String(signedAt), 'webhook-signature': signature };
      const fits = (body: Buffer, secret: string) => webhookOf(secret).verify(body, signed, { jsonParse: false });
      const head = TYPE.transform(({ type }) => ({ id, type }));
      return signedEvent({ raw, signedAt, now, secrets, fits, head });
    },
    tell: tellerOf(tellers, EVENT),
  });

/** Reads the events of a shop's own system. */
export const standard = standardWith(NAME, TELLERS);
