import type { Instant } from '../shared/instant.ts';
import type { Invoice } from './invoice.ts';
import type { Order } from './order.ts';

type Ordered = Pick<Order, 'id' | 'ordered_at'>;
type Invoiced = Pick<Invoice, 'id' | 'order_id' | 'issued_at'>;

/** An entry in an account's billing history: an order with its invoices, or an invoice without an order. */
export type Bill<O, I> =
  | { readonly order: O; readonly invoices: readonly I[] }
  | { readonly order: null; readonly invoices: readonly [I] };

/** The orders and invoices of an account as one list, newest first. An invoice is listed with its order. */
export const billsOf = <O extends Ordered, I extends Invoiced>(
  orders: readonly O[],
  invoices: readonly I[],
): Bill<O, I>[] => {
  const ids = new Set(orders.map(({ id }) => id));
  const owned = Map.groupBy(invoices, ({ order_id }) => (order_id !== null && ids.has(order_id) ? order_id : null));
  const dated: { bill: Bill<O, I>; at: Instant; id: number }[] = [
    ...orders.map((order) => ({
      bill: { order, invoices: owned.get(order.id) ?? [] },
      at: order.ordered_at,
      id: order.id,
    })),
    ...(owned.get(null) ?? []).map((invoice) => ({
      bill: { order: null, invoices: [invoice] as const },
      at: invoice.issued_at,
      id: invoice.id,
    })),
  ];
  return dated.sort((a, b) => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1)).map(({ bill }) => bill);
};
