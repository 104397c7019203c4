import type { Entitlement } from '../licensing/entitlement.ts';
import { accessEnd, type Subscription } from '../licensing/subscription.ts';
import { compareText } from '../shared/compare-text.ts';
import { hasPassed, type Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { isSameJson } from '../shared/same-json.ts';
import type { Invoice } from './invoice.ts';
import { type Order, type OrderItem, type Refund, UNPAID_STATUSES } from './order.ts';

/** An order and the account's records that came from it. */
export type OrderRecords = {
  readonly order: Order;
  readonly entitlements: readonly Entitlement[];
  readonly subscriptions: readonly Subscription[];
  readonly invoices: readonly Invoice[];
};

export type RefundInput = {
  /** The items to refund; an empty list means the whole order. */
  readonly item_ids: readonly number[];
  readonly keeps_access: boolean;
  readonly reason: string | null;
};

export type RefundEffect = {
  /** The order after the refund. */
  readonly order: Order;
  /** The records that the refund changes, in their new state. */
  readonly changed: { readonly order: Order | null } & Omit<OrderRecords, 'order'>;
  /** The amount to refund now, in minor units; null if the order was partly refunded elsewhere. */
  readonly amount_cents: number | null;
  /**
   * True if the order paid for a subscription that does not name the order, such as a renewal; the subscription
   * continues.
   */
  readonly leaves_subscription: boolean;
};

const changedBy = <T extends object>(records: readonly T[], under: (record: T) => T): T[] =>
  records.flatMap((record) => {
    const after = under(record);
    return isSameJson(after, record) ? [] : [after];
  });

const isMoneyBack = (order: Order, { id }: OrderItem): boolean =>
  order.status === 'refunded' || order.status === 'withdrawn' || isRefunded(order, id);

const amountOf = (order: Order, items: readonly OrderItem[]): number | null => {
  const isUnknown = order.status === 'partially_refunded' && order.refunds === undefined;
  if (isUnknown) return null;
  return sumOf(items.filter((item) => !isMoneyBack(order, item)));
};

/**
 * Decides on a refund. The order gets its new status and a record of the refund. Its entitlements are revoked, the
 * subscription that it started ends, and the invoices of a fully refunded order are refunded or void, unless the buyer
 * keeps the access. Repeating a refund changes nothing. Refuses an unpaid order, and unknown items.
 */
export const refundEffect = (
  records: OrderRecords,
  { item_ids, keeps_access, reason }: RefundInput,
  now: Instant,
): Outcome<RefundEffect, 'order_not_paid' | 'item_not_found'> => {
  const { order } = records;
  if (order.status === 'pending' || order.status === 'cancelled') {
    return refuse('order_not_paid', {
      message: `Order ${order.number} is ${order.status}: nobody has paid for it, so there is nothing to refund.`,
    });
  }
  const unknown = item_ids.filter((id) => !order.items.some((item) => item.id === id));
  if (unknown.length > 0) {
    return refuse('item_not_found', {
      message: `Order ${order.number} has no item ${unknown.join(', ')}; its items are ${itemNames(order.items)}.`,
    });
  }
  const items = order.items.filter(({ id }) => item_ids.length === 0 || item_ids.includes(id));
  const isDone = items.every(({ id }) => isRefunded(order, id) && (keeps_access || takenAt(order, id) !== undefined));
  const covered = items.length === order.items.length ? null : items.map(({ id }) => id);
  const refund = { refunded_at: now, item_ids: covered, keeps_access, reason };
  const after = isDone ? order : orderUnderRefund({ ...order, refunds: [...(order.refunds ?? []), refund] });
  const others = {
    entitlements: changedBy(records.entitlements, (one) => entitlementUnderRefund(one, after)),
    subscriptions: changedBy(records.subscriptions, (one) => subscriptionUnderRefund(one, after)),
    invoices: changedBy(records.invoices, (one) => invoiceUnderRefund(one, after)),
  };
  const isUnchanged =
    items.every((item) => isMoneyBack(order, item)) && Object.values(others).every(({ length }) => length === 0);
  return ok({
    order: isUnchanged ? order : after,
    changed: { order: isUnchanged || isDone ? null : after, ...others },
    amount_cents: isUnchanged ? 0 : amountOf(order, items),
    leaves_subscription: !keeps_access && order.subscription_name !== null && records.subscriptions.length === 0,
  });
};

/*
 * An order's refunds determine its records: the functions below apply them to a record. Applying them twice changes
 * nothing, so an interrupted refund can be repeated, and an older record that is written again still shows the refund.
 */

export type Refunds = { readonly refunds?: readonly Refund[] | undefined };

const covers = ({ item_ids }: Refund, itemId: number | null): boolean =>
  item_ids === null || (itemId !== null && item_ids.includes(itemId));

export const isRefunded = ({ refunds = [] }: Refunds, itemId: number): boolean =>
  refunds.some((refund) => refund.kind === undefined && covers(refund, itemId));

/** The refunds of an order, without disputes. */
export const moneyBack = ({ refunds = [] }: Refunds): Refund[] => refunds.filter(({ kind }) => kind !== 'dispute');

const sumOf = (items: readonly OrderItem[]): number => items.reduce((sum, { total_cents }) => sum + total_cents, 0);

/**
 * The amount of each refund of an order, in their order: as reported by the payment provider, else the sum of its items
 * or the rest of the order.
 */
const refundAmounts = (order: Order): number[] => {
  let earlier = 0;
  return moneyBack(order).map(({ amount_cents, item_ids }) => {
    const rest = earlier < order.total_cents ? order.total_cents - earlier : order.total_cents;
    const cents =
      amount_cents ?? (item_ids === null ? rest : sumOf(order.items.filter(({ id }) => item_ids.includes(id))));
    earlier += cents;
    return cents;
  });
};

/** The amount of a refund, and whether it is a part of the order's total, the whole, or the rest. */
export const refundedMoney = (order: Order, refund: Refund) => {
  const amounts = refundAmounts(order);
  const cents = amounts[moneyBack(order).indexOf(refund)] ?? 0;
  const isPart = order.status !== 'refunded' && amounts.reduce((sum, one) => sum + one, 0) < order.total_cents;
  return { cents, is: isPart ? 'part' : cents < order.total_cents ? 'rest' : 'all' } as const;
};

/** The refund or dispute by which an item stopped giving access; undefined if it still does. */
export const takingRefund = ({ refunds = [] }: Refunds, itemId: number | null): Refund | undefined =>
  refunds.find((refund) => !refund.keeps_access && covers(refund, itemId));

/** The time at which an item stopped giving access because it was refunded; undefined if it still does. */
export const takenAt = (order: Refunds, itemId: number | null): Instant | undefined =>
  takingRefund(order, itemId)?.refunded_at;

/** True if an item was refunded, but the buyer keeps the access of this entitlement. */
export const keepsAccess = (
  { refunds = [] }: Refunds,
  { order_item_id }: Pick<Entitlement, 'order_item_id'>,
): boolean =>
  refunds.some((refund) => refund.keeps_access && covers(refund, order_item_id)) &&
  takenAt({ refunds }, order_item_id) === undefined;

/** True if every item was refunded. */
export const isWhole = (order: Pick<Order, 'items' | 'refunds'>): boolean =>
  order.items.every(({ id }) => isRefunded(order, id));

const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);

/**
 * The order with the status that follows from its refunds and disputes. An order that is unpaid for another reason
 * stays unchanged. A disputed order stays disputed until the shop or the buyer has the money back.
 */
export const orderUnderRefund = (order: Order): Order => {
  const { refunds = [], status } = order;
  if (refunds.length === 0 || (status !== 'disputed' && UNPAID_STATUSES.includes(status))) return order;
  if (isWhole(order)) return { ...order, status: 'refunded' };
  const isDisputed = status === 'disputed' || refunds.some(({ kind }) => kind === 'dispute');
  return { ...order, status: isDisputed ? 'disputed' : 'partially_refunded' };
};

/** The entitlement, revoked if its item was refunded. One that starts later is revoked at its start. */
export const entitlementUnderRefund = (entitlement: Entitlement, order: Order): Entitlement => {
  const { order_id, order_item_id, granted_at, revoked_at } = entitlement;
  if (order_id !== order.id || revoked_at !== null) return entitlement;
  const at = takenAt(order, order_item_id);
  return at === undefined ? entitlement : { ...entitlement, revoked_at: later(at, granted_at) };
};

/** The time at which a subscription ends because all items that sold it were refunded. */
const endByRefund = ({ product_ids }: Subscription, order: Order): Instant | undefined => {
  const own = order.items.filter(({ product_id }) => product_id !== null && product_ids.includes(product_id));
  const taken = (own.length > 0 ? own : order.items).map(({ id }) => takenAt(order, id));
  return taken.reduce((all, at) => (all === undefined || at === undefined ? undefined : later(all, at)));
};

/**
 * The subscription, ended if the items of its products were refunded in the order that started it, or all items if none
 * is of its products. From then on it gives no access, has no grace period, and is not charged again.
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

/** The invoice of a fully refunded order: a paid one becomes refunded, an open one void. */
export const invoiceUnderRefund = (invoice: Invoice, order: Order): Invoice => {
  if (invoice.order_id !== order.id || !order.refunds?.length || !isWhole(order)) return invoice;
  if (invoice.status === 'paid') return { ...invoice, status: 'refunded' };
  return invoice.status === 'open' ? { ...invoice, status: 'void' } : invoice;
};

/** Time, items, kind and amount identify a refund of an order. */
const refundName = ({ refunded_at, item_ids, kind, amount_cents }: Refund): string =>
  JSON.stringify([refunded_at, item_ids && [...item_ids].sort((a, b) => a - b), kind, amount_cents]);

/**
 * The refunds of both lists, sorted by time and items, so the order of writes doesn't matter. For a refund in both, the
 * stored form wins, because it never changes.
 */
const allRefunds = (stored: readonly Refund[], added: readonly Refund[]): Refund[] => {
  const named = new Map([...added, ...stored].map((refund) => [refundName(refund), refund]));
  return [...named].sort(([a], [b]) => compareText(a, b)).map(([, refund]) => refund);
};

/** The stored refunds that an order omits, because it is older, or because an empty list undoes them. */
export const refundsLeftOut = (order: Order, before: Order | undefined): Refund[] => {
  const named = new Set((order.refunds ?? []).map(refundName));
  return (before?.refunds ?? []).filter((refund) => !named.has(refundName(refund)));
};

/**
 * An order that replaces the stored one. Its refunds are added to the stored ones, so an older document can't undo a
 * refund; only an empty list undoes them all. A withdrawal stays, whatever the new order contains.
 */
export const withKeptRefunds = (order: Order, before: Order | undefined): Order => {
  const { refunds: named, ...rest } = before?.withdrawal ? { ...order, withdrawal: before.withdrawal } : order;
  const refunds = named?.length === 0 ? [] : allRefunds(before?.refunds ?? [], named ?? []);
  return refunds.length === 0 ? rest : orderUnderRefund({ ...rest, refunds });
};

/** The names of items for a message, such as `1 (product 4), 2 (product 7)`. */
export const itemNames = (items: readonly OrderItem[]): string =>
  items
    .map(({ id, product_id }) => `${id} (${product_id === null ? 'no product' : `product ${product_id}`})`)
    .join(', ');

/** The units of each product that an order sold, paid and not refunded. A bundle counts as one product. */
export const soldUnits = (order: Order): { readonly product_id: number; readonly units: number }[] =>
  UNPAID_STATUSES.includes(order.status)
    ? []
    : order.items
        .filter(({ id }) => !isRefunded(order, id))
        .flatMap(({ product_id, quantity }) => (product_id === null ? [] : [{ product_id, units: quantity }]));
