import type { Order } from '../billing/order.ts';
import { moneyBack } from '../billing/refund.ts';
import type { Release } from '../delivery/release.ts';
import type { Device } from '../devices/seat.ts';
import type { Entitlement } from '../licensing/entitlement.ts';
import type { Subscription } from '../licensing/subscription.ts';
import type { PaymentEvent } from '../sales/payment-event.ts';
import { isSameJson } from '../shared/same-json.ts';
import { scrubNullable } from '../support/scrub.ts';
import { type Ticket, ticketNumber } from '../support/ticket.ts';
import type { NewWebhookEvent, NewWebhookEvents } from './delivery.ts';
import type { WebhookKind } from './webhook.ts';

/*
 * The events of a changed record. A body has the record as the change left it, by its ids: no secret, no link that
 * opens something, and no text, name or address of a buyer, so that nothing of an erased account is left with anyone.
 */

const about = (kind: WebhookKind, id: string | number, data: Readonly<Record<string, unknown>>): NewWebhookEvent => ({
  kind,
  record: `${kind.split('.', 1)[0]} ${id}`,
  data,
});

const saleData = (order: Order) => ({
  id: order.id,
  account_id: order.account_id,
  number: order.number,
  status: order.status,
  ordered_at: order.ordered_at,
  paid_at: order.paid_at,
  currency: order.currency,
  total_cents: order.total_cents,
  vat_cents: order.vat_cents,
  payment_method: order.payment_method,
  source: order.source ?? null,
  items: order.items.map(({ id, product_id, quantity, total_cents }) => ({ id, product_id, quantity, total_cents })),
  refunds: (order.refunds ?? []).map(({ refunded_at, item_ids, amount_cents, kind }) => ({
    refunded_at,
    item_ids,
    amount_cents: amount_cents ?? null,
    kind: kind ?? 'full',
  })),
  withdrawal: order.withdrawal ?? null,
  test: order.test ?? false,
});

export type SaleData = ReturnType<typeof saleData>;

const paidAt = (order: Order | undefined): string | null => order?.paid_at ?? null;

const isDisputed = ({ status, refunds = [] }: Order): boolean =>
  status === 'disputed' || refunds.some(({ kind }) => kind === 'dispute');

/** A dispute that the shop won, or a refund that failed, is neither a dispute nor a refund. */
const saleKind = (before: Order | undefined, after: Order): WebhookKind => {
  if (isDisputed(after) && !(before && isDisputed(before))) return 'sale.disputed';
  const known = before?.refunds ?? [];
  if (moneyBack(after).some((refund) => !known.some((one) => isSameJson(one, refund)))) return 'sale.refunded';
  if (!isSameJson(before?.withdrawal ?? null, after.withdrawal ?? null)) return 'sale.withdrawn';
  if (paidAt(before) === null && paidAt(after) !== null && !after.was_paid) return 'sale.paid';
  return before ? 'sale.changed' : 'sale.created';
};

/** Only the most informative kind: a dispute before a refund, a refund before a payment. */
export const saleEvents = (before: Order | undefined, after: Order): NewWebhookEvents => [
  about(saleKind(before, after), after.id, saleData(after)),
];

export const licenseEvents = (before: Entitlement | undefined, after: Entitlement): NewWebhookEvents => {
  const isRevoked = after.revoked_at !== null && (before?.revoked_at ?? null) === null;
  const kind = isRevoked ? 'license.revoked' : before ? 'license.changed' : 'license.created';
  const terms = { edition: null, features: [], upgrades_from: [], requires: null, metadata: {} };
  return [about(kind, after.id, { renews: false, key_batch_id: null, transferred: null, ...terms, ...after })];
};

const subscriptionKind = (before: Subscription | undefined, after: Subscription): WebhookKind => {
  if (!before) return 'subscription.created';
  if (after.status === 'expired' && before.status !== 'expired') return 'subscription.ended';
  if (after.status === 'past_due' && before.status !== 'past_due') return 'subscription.past_due';
  if (after.cancelled_at !== null && before.cancelled_at === null) return 'subscription.cancelled';
  if (after.ends_at !== null && after.ends_at > (before.ends_at ?? after.ends_at)) return 'subscription.renewed';
  return 'subscription.changed';
};

const subscriptionData = (after: Subscription) => {
  const { id, account_id, product_ids, status, starts_at, ends_at, cancelled_at, grace_days, device_limit } = after;
  const { order_id = null, next_charge_at = null, renewal_amount_cents = null } = after.billing ?? {};
  return {
    id,
    account_id,
    product_ids,
    status,
    starts_at,
    ends_at,
    cancelled_at,
    grace_days,
    device_limit,
    tier: after.apps?.tier ?? null,
    edition: after.edition ?? null,
    features: after.features ?? [],
    order_id,
    next_charge_at,
    renewal_amount_cents,
    renewal_currency: after.billing?.renewal_currency ?? null,
  };
};

export type SubscriptionData = ReturnType<typeof subscriptionData>;

/** A subscription that passes its `ends_at` changes no record, so no event reports it. */
export const subscriptionEvents = (before: Subscription | undefined, after: Subscription): NewWebhookEvents => [
  about(subscriptionKind(before, after), after.id, subscriptionData(after)),
];

type DeviceOf = { readonly account_id: number; readonly product_id: number };

/** A device's own name may be a person's, and is left out. */
export const deviceEvents = (
  done: 'activated' | 'renamed' | 'released',
  { account_id, product_id }: DeviceOf,
  { device_id, activated_at, last_seen_at, platform }: Pick<Device, 'device_id'> & Partial<Device>,
): NewWebhookEvents => [
  about(`device.${done}`, `${account_id} ${product_id} ${device_id}`, {
    device_id,
    account_id,
    product_id,
    activated_at: activated_at ?? null,
    last_seen_at: last_seen_at ?? null,
    platform: platform ?? null,
  }),
];

const ticketData = (ticket: Ticket) => {
  const { id, account_id, kind, status, created_at, answer_count = 0, product_id = null, app_bundle_id } = ticket;
  const { order_id = null } = ticket.withdrawal ?? {};
  const number = ticketNumber(ticket);
  const named = { id, number, account_id, kind, status, created_at, answer_count };
  return { ...named, product_id, app_bundle_id, order_id };
};

export type TicketData = ReturnType<typeof ticketData>;

export const ticketEvents = (
  done: 'opened' | 'replied' | 'answered' | 'closed' | 'reopened',
  ticket: Ticket,
): NewWebhookEvents => [about(`ticket.${done}`, ticket.id, ticketData(ticket))];

/** Only a new version. It may be scheduled: `released_at`. */
export const releaseEvents = (before: Release | undefined, after: Release): NewWebhookEvents => {
  if (before) return [];
  const { id, product_id, version, build, channel, released_at } = after;
  const artifacts = after.artifacts.map(({ platform, filename, sha256, size }) => ({
    platform,
    filename,
    sha256,
    size,
  }));
  return [about('release.published', id, { id, product_id, version, build, channel, released_at, artifacts })];
};

const refusedData = ({ provider, id, type, received_at, reason, account_id }: PaymentEvent) => ({
  provider,
  id,
  type,
  received_at,
  reason: scrubNullable(reason),
  account_id,
});

export type RefusedData = ReturnType<typeof refusedData>;

/** The event of a payment provider, when it is refused. A reason may quote what the provider sent. */
export const refusedEvents = (before: PaymentEvent | undefined, after: PaymentEvent): NewWebhookEvents => {
  if (after.state !== 'refused' || (before?.state === 'refused' && before.reason === after.reason)) return [];
  return [about('event.refused', `${after.provider} ${after.id}`, refusedData(after))];
};
