import * as z from 'zod';
import { ORDER_STATUSES } from '../../../domain/billing/order.ts';
import { PLATFORMS } from '../../../domain/catalog/platform.ts';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { STORED_SUBSCRIPTION_STATUSES } from '../../../domain/licensing/subscription.ts';
import { REPORT_KINDS } from '../../../domain/support/ticket.ts';
import { WEBHOOK_KINDS, type WebhookKind } from '../../../domain/webhooks/webhook.ts';
import { component, dateTime, id, nullableText, once } from '../answers.ts';
import { each, moment, shopEntitlementData, transferred } from './records.ts';

/* The bodies that webhooks get: the kind, the time of the change, and the record as the change left it. */

const count = z.int();
const nullableId = id.nullable();

const AREAS = {
  sale: () =>
    component('WebhookSale', {
      ...each(id, 'id', 'account_id'),
      ...each(z.string(), 'number', 'currency', 'payment_method'),
      status: z.enum(ORDER_STATUSES),
      ordered_at: dateTime,
      paid_at: moment,
      total_cents: count,
      vat_cents: count.nullable(),
      source: z
        .strictObject({ provider: z.string(), payment: z.string(), subscription: nullableText })
        .nullable()
        .describe('the payment provider’s own ids'),
      items: z.array(z.object({ id, product_id: nullableId, quantity: count, total_cents: count })),
      refunds: z.array(
        z.object({
          refunded_at: dateTime,
          item_ids: z.array(id).nullable().describe('null for all of them'),
          amount_cents: count.nullable().describe('null is the amount of the items'),
          kind: z.enum(['full', 'part', 'dispute']),
        }),
      ),
      withdrawal: z.object({ declared_at: dateTime, ticket_id: id }).nullable(),
      test: z.boolean().describe('true where no money moved'),
    }),
  license: () =>
    shopEntitlementData()
      .required()
      .extend({
        edition: nullableText,
        key_batch_id: nullableId,
        requires: z.array(z.string()).nullable().describe('null unless an add-on'),
        transferred: transferred().nullable(),
      })
      .meta({ id: 'WebhookLicense' }),
  subscription: () =>
    component('WebhookSubscription', {
      ...each(id, 'id', 'account_id'),
      product_ids: z.array(id),
      status: z.enum(STORED_SUBSCRIPTION_STATUSES),
      starts_at: dateTime,
      ...each(moment, 'ends_at', 'cancelled_at', 'next_charge_at'),
      grace_days: count,
      ...each(count.nullable(), 'device_limit', 'renewal_amount_cents'),
      ...each(nullableText, 'tier', 'edition', 'renewal_currency'),
      features: z.array(z.string()),
      order_id: nullableId,
    }),
  device: () =>
    component('WebhookDevice', {
      device_id: z.string(),
      ...each(id, 'account_id', 'product_id'),
      ...each(moment, 'activated_at', 'last_seen_at'),
      platform: z.enum(PLATFORMS).nullable(),
    }),
  ticket: () =>
    component('WebhookTicket', {
      ...each(id, 'id', 'account_id'),
      number: z.string().describe('the number by which the buyer knows it'),
      kind: z.enum(REPORT_KINDS),
      status: z.enum(['open', 'closed']),
      created_at: dateTime,
      answer_count: count,
      product_id: nullableId,
      app_bundle_id: nullableText,
      order_id: nullableId.describe('the order from which its buyer withdrew by it'),
    }),
  release: () =>
    component('WebhookRelease', {
      ...each(id, 'id', 'product_id'),
      version: z.string(),
      build: nullableText,
      channel: z.enum(CHANNELS),
      released_at: dateTime.describe('possibly in the future'),
      artifacts: z.array(
        z.object({
          platform: z.enum(PLATFORMS).nullable(),
          filename: z.string(),
          sha256: z.string(),
          size: count,
        }),
      ),
    }),
  event: () =>
    component('WebhookRefusedEvent', {
      ...each(z.string(), 'provider', 'id', 'type'),
      received_at: dateTime,
      reason: nullableText,
      account_id: nullableId,
    }),
} as const;

type Area = keyof typeof AREAS;

/** The sentence about each kind. */
const DESCRIPTIONS: Readonly<Record<WebhookKind, string>> = {
  'sale.created': 'An order that nobody has paid for yet.',
  'sale.paid': 'An order was paid.',
  'sale.refunded': 'Money of an order went back, in whole or in part.',
  'sale.disputed': 'The buyer’s bank claims the money of an order.',
  'sale.withdrawn': 'A buyer declared to withdraw from an order.',
  'sale.changed': 'An order changed in another way.',
  'license.created': 'An account got a product.',
  'license.changed': 'A license was extended or changed.',
  'license.revoked': 'A license was revoked, as a refund does.',
  'subscription.created': 'A subscription began.',
  'subscription.renewed': 'A further period was paid.',
  'subscription.past_due': 'A renewal failed; the provider tries again.',
  'subscription.cancelled': 'A subscription was cancelled; it continues until `ends_at`.',
  'subscription.ended': 'A subscription was ended. One that only passes `ends_at` changes no record and sends nothing.',
  'subscription.changed': 'A subscription changed in another way.',
  'device.activated': 'A device took a slot.',
  'device.renamed': 'A device was renamed.',
  'device.released': 'A device gave its slot back.',
  'ticket.opened': 'A buyer opened a ticket.',
  'ticket.replied': 'A buyer replied to a ticket.',
  'ticket.answered': 'The shop answered a ticket.',
  'ticket.closed': 'A ticket was closed.',
  'ticket.reopened': 'A ticket was opened again.',
  'release.published': 'A new version was published.',
  'event.refused': 'An event of a payment provider could not be recorded.',
};

const areas = once(() => Object.fromEntries(Object.entries(AREAS).map(([area, make]) => [area, make()])));

/** The body of each kind: its sentence, and its schema. */
export const webhookBodies = once(() =>
  WEBHOOK_KINDS.map((kind) => ({
    kind,
    description: DESCRIPTIONS[kind],
    body: z.object({
      type: z.literal(kind),
      timestamp: dateTime.describe('the time of the change'),
      data: areas()[kind.split('.', 1)[0] as Area] as z.ZodObject,
    }),
  })),
);
