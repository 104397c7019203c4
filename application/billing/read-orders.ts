import type { Order } from '../../domain/billing/order.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { orderView } from './order-view.ts';

export type Ports = Needs<'catalogs' | 'clock' | 'licenses' | 'links' | 'productUses'>;

/** The views of orders (OrderData of the specification). The records around them are read while the orders are. */
export const readOrders =
  ({ catalogs, licenses, productUses, links, clock }: Ports) =>
  async ({ accountId, locale, orders }: { accountId: number; locale: Locale; orders: Promise<readonly Order[]> }) => {
    const now = clock.now();
    const [found, catalog, { entitlements }, known] = await Promise.all([
      orders,
      catalogs.current(),
      licenses.held(accountId),
      productUses.of(accountId),
    ]);
    const uses = [...known.values()].map(({ use }) => use);
    return found.map((order) => orderView(order, { catalog, entitlements, uses, links, locale, now }));
  };

export type ReadOrders = ReturnType<typeof readOrders>;
