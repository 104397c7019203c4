import type { Entitlement } from '../licensing/entitlement.ts';
import { accessEnd, type Subscription } from '../licensing/subscription.ts';
import { hasPassed, type Instant } from '../shared/instant.ts';
import type { Invoice } from './invoice.ts';
import { type Order, type OrderItem, type Refund, UNPAID_STATUSES } from './order.ts';

/*
 * The refunds of an order decide what its records say: the functions below lay them over a record. They change nothing
 * the second time, so that a refund that broke off can be repeated, and an older record that is written again still
 * shows the refund.
 */

export type Refunds = { readonly refunds?: readonly Refund[] | undefined };

const covers = ({ item_ids }: Refund, itemId: number | null): boolean =>
  item_ids === null || (itemId !== null && item_ids.includes(itemId));

/** True where the money of an item went back by a refund. */
export const isRefunded = ({ refunds = [] }: Refunds, itemId: number): boolean =>
  refunds.some((refund) => covers(refund, itemId));

/** The moment from which an item gives no access any more, because it was refunded; undefined where it still does. */
export const takenAt = ({ refunds = [] }: Refunds, itemId: number | null): Instant | undefined =>
  refunds.find((refund) => !refund.keeps_access && covers(refund, itemId))?.refunded_at;

/** True where an item was refunded, and the buyer may go on using what this entitlement gives. */
export const keepsAccess = (
  { refunds = [] }: Refunds,
  { order_item_id }: Pick<Entitlement, 'order_item_id'>,
): boolean =>
  refunds.some((refund) => refund.keeps_access && covers(refund, order_item_id)) &&
  takenAt({ refunds }, order_item_id) === undefined;

/** True where a refund gave back the money of every item. */
export const isWhole = (order: Pick<Order, 'items' | 'refunds'>): boolean =>
  order.items.every(({ id }) => isRefunded(order, id));

const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);

/** The order with the status that its refunds give it. An order that is unpaid for another reason stays as it is. */
export const orderUnderRefund = (order: Order): Order => {
  const { refunds = [], status } = order;
  if (refunds.length === 0 || UNPAID_STATUSES.includes(status)) return order;
  return { ...order, status: isWhole(order) ? 'refunded' : 'partially_refunded' };
};

/** The entitlement, revoked where its item was refunded. One that was to begin later is revoked at its beginning. */
export const entitlementUnderRefund = (entitlement: Entitlement, order: Order): Entitlement => {
  const { order_id, order_item_id, granted_at, revoked_at } = entitlement;
  if (order_id !== order.id || revoked_at !== null) return entitlement;
  const at = takenAt(order, order_item_id);
  return at === undefined ? entitlement : { ...entitlement, revoked_at: later(at, granted_at) };
};

/** The moment at which a subscription ends, because the items that sold it were all refunded. */
const endByRefund = ({ product_ids }: Subscription, order: Order): Instant | undefined => {
  const own = order.items.filter(({ product_id }) => product_ids.includes(product_id));
  const taken = (own.length > 0 ? own : order.items).map(({ id }) => takenAt(order, id));
  return taken.reduce((all, at) => (all === undefined || at === undefined ? undefined : later(all, at)));
};

/**
 * The subscription, ended where the items of its products in the order that began it were refunded; where the order has
 * no item of its products, all items. It gives no access from then on, also no grace period, and is not charged again.
 */
export const subscriptionUnderRefund = (subscription: Subscription, order: Order): Subscription => {
  const { billing, starts_at, ends_at, cancelled_at } = subscription;
  if (billing?.order_id !== order.id) return subscription;
  const at = endByRefund(subscription, order);
  if (at === undefined || hasPassed(accessEnd(subscription), at)) return subscription;
  const end = later(at, starts_at);
  const trialEnd = billing.trial_ends_at;
  return {
    ...subscription,
    status: 'cancelled',
    cancelled_at: cancelled_at !== null && cancelled_at < end ? cancelled_at : end,
    ends_at: ends_at !== null && ends_at < end ? ends_at : end,
    billing: {
      ...billing,
      next_charge_at: null,
      trial_ends_at: trialEnd !== null && trialEnd > end ? end : trialEnd,
    },
  };
};

/** The invoice of an order that was refunded as a whole: a paid one is refunded, an open one void. */
export const invoiceUnderRefund = (invoice: Invoice, order: Order): Invoice => {
  if (invoice.order_id !== order.id || !order.refunds?.length || !isWhole(order)) return invoice;
  if (invoice.status === 'paid') return { ...invoice, status: 'refunded' };
  return invoice.status === 'open' ? { ...invoice, status: 'void' } : invoice;
};

/** The moment and the items tell a refund from the others of its order. */
const refundName = ({ refunded_at, item_ids }: Refund): string =>
  JSON.stringify([refunded_at, item_ids && [...item_ids].sort((a, b) => a - b)]);

/**
 * The refunds of both lists by their moments, and of one moment by their items, so that the order of writes has no say.
 * One that both have is as `stored` has it, because it never changes.
 */
const allRefunds = (stored: readonly Refund[], added: readonly Refund[]): Refund[] => {
  const named = new Map([...added, ...stored].map((refund) => [refundName(refund), refund]));
  return [...named].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, refund]) => refund);
};

/** The stored refunds that an order leaves out: it is from before them, or undoes them by an empty list. */
export const refundsLeftOut = (order: Order, before: Order | undefined): Refund[] => {
  const named = new Set((order.refunds ?? []).map(refundName));
  return (before?.refunds ?? []).filter((refund) => !named.has(refundName(refund)));
};

/**
 * An order as it is written over the stored one. The refunds that it names are added to the stored ones, so that no
 * older document undoes a refund; an empty list alone undoes them all.
 */
export const withKeptRefunds = (order: Order, before: Order | undefined): Order => {
  const { refunds: named, ...rest } = order;
  const refunds = named?.length === 0 ? [] : allRefunds(before?.refunds ?? [], named ?? []);
  return refunds.length === 0 ? rest : orderUnderRefund({ ...rest, refunds });
};

/** The names of items for a message, such as `1 (product 4), 2 (product 7)`. */
export const itemNames = (items: readonly OrderItem[]): string =>
  items.map(({ id, product_id }) => `${id} (product ${product_id})`).join(', ');
