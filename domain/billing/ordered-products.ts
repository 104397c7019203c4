import type { Bundle } from '../catalog/product.ts';
import { productsBrought } from '../licensing/access.ts';
import type { Holdings } from '../licensing/entitlement.ts';
import type { Order } from './order.ts';

/** The products that an order brought, by its lines, its entitlements and its subscription. */
export const productsOfOrder = (
  { id, items }: Pick<Order, 'id' | 'items'>,
  { entitlements, subscriptions }: Holdings,
  bundles: readonly Bundle[],
): ReadonlySet<number> => {
  const bought = [
    ...items.map(({ product_id }) => product_id),
    ...entitlements.filter(({ order_id }) => order_id === id).map(({ product_id }) => product_id),
    ...subscriptions.filter(({ billing }) => billing?.order_id === id).flatMap(({ product_ids }) => product_ids),
  ];
  return new Set(bought.flatMap((productId) => productsBrought(productId, bundles)));
};
