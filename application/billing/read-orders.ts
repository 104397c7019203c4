import type { Order } from '../../domain/billing/order.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Licenses } from '../../ports/outbound/licenses.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { ProductUses } from '../../ports/outbound/product-uses.ts';
import { orderView } from './order-view.ts';

export type Ports = { catalogs: Catalogs; licenses: Licenses; productUses: ProductUses; links: Links; clock: Clock };

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
