import type { Entitlement } from '../licensing/entitlement.ts';
import type { Subscription } from '../licensing/subscription.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { isSameJson } from '../shared/same-json.ts';
import type { Invoice } from './invoice.ts';
import type { Order, OrderItem } from './order.ts';
import {
  entitlementUnderRefund,
  invoiceUnderRefund,
  isRefunded,
  itemNames,
  orderUnderRefund,
  subscriptionUnderRefund,
  takenAt,
} from './refund.ts';

/** An order and the records of its account that came from it. */
export type OrderRecords = {
  readonly order: Order;
  readonly entitlements: readonly Entitlement[];
  readonly subscriptions: readonly Subscription[];
  readonly invoices: readonly Invoice[];
};

export type RefundWish = {
  /** The items to refund; an empty list stands for the whole order. */
  readonly item_ids: readonly number[];
  readonly keeps_access: boolean;
  readonly reason: string | null;
};

/** The effect of a refund. */
export type RefundEffect = {
  /** The order afterwards. */
  readonly order: Order;
  /** The records that the refund changes, as they are afterwards. */
  readonly changed: { readonly order: Order | null } & Omit<OrderRecords, 'order'>;
  /** The money that goes back now, in minor units; null where the order was partly refunded elsewhere. */
  readonly amount_cents: number | null;
  /** True where the order paid for a subscription that does not name the order, such as a renewal; it goes on. */
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
  return items.filter((item) => !isMoneyBack(order, item)).reduce((sum, { total_cents }) => sum + total_cents, 0);
};

/**
 * Decides on a refund. The order gets its status and keeps a record of the refund. Its entitlements are revoked, the
 * subscription that it began ends, and the invoices of a whole refund are refunded or void, unless the buyer keeps the
 * access. A refund of what was refunded already changes nothing. Refuses an order that nobody paid, and unknown items.
 */
export const refundEffect = (
  records: OrderRecords,
  { item_ids, keeps_access, reason }: RefundWish,
  now: Instant,
): Outcome<RefundEffect, 'order_not_paid' | 'item_not_found'> => {
  const { order } = records;
  if (order.status === 'pending' || order.status === 'cancelled') {
    return refuse('order_not_paid', {
      message: `Order ${order.number} is ${order.status}: nobody has paid for it, so there is no money to give back.`,
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
