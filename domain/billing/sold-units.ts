import { type Order, UNPAID_STATUSES } from './order.ts';
import { isRefunded } from './refund.ts';

/** The units of each product that an order sold: paid, and not given back. A bundle counts as the one product it is. */
export const soldUnits = (order: Order): { readonly product_id: number; readonly units: number }[] =>
  UNPAID_STATUSES.includes(order.status)
    ? []
    : order.items
        .filter(({ id }) => !isRefunded(order, id))
        .map(({ product_id, quantity }) => ({ product_id, units: quantity }));
