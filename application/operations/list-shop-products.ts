import { soldUnits } from '../../domain/billing/sold-units.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Channel } from '../../domain/delivery/channel.ts';
import { newestByChannel, releaseLine } from '../../domain/delivery/offered-release.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { usableProducts } from '../../domain/licensing/account-products.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { eachAccount, type Progress, unseen } from './progress.ts';

export type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'licenses' | 'releases' | 'storedOrders' | 'versions'>;

/** The units that paid orders sold and did not give back, and the accounts that may use the product now. */
export type Sales = { readonly sold: number; readonly owners: number };

export type ListedProduct = {
  readonly product: Product;
  /** The newest version that is offered on each channel alone; null where there is none. */
  readonly newest: Readonly<Record<Channel, string | null>>;
  /** Null where nobody asked for it. */
  readonly sales: Sales | null;
};

/**
 * Every product by its id, also those that are hidden or off sale. The sales lie with the accounts, so that counting
 * them reads every account.
 */
export const listShopProducts = ({ catalogs, releases, clock, versions, accounts, storedOrders, licenses }: Ports) => {
  const newest = (product: Product, releases: readonly Release[], now: Instant): ListedProduct['newest'] => {
    const order = versions.order(product.version_scheme);
    return newestByChannel(releaseLine(product, releases, now, order));
  };

  const salesOf = async (catalog: Catalog, now: Instant, progress: Progress): Promise<ReadonlyMap<number, Sales>> => {
    const sales = new Map<number, Sales>();
    const add = (productId: number, more: Sales): void => {
      const { sold, owners } = sales.get(productId) ?? { sold: 0, owners: 0 };
      sales.set(productId, { sold: sold + more.sold, owners: owners + more.owners });
    };
    await eachAccount(accounts, progress, async (id) => {
      const [orders, holdings] = await Promise.all([storedOrders.ofAccount(id), licenses.held(id)]);
      for (const { product_id, units } of orders.flatMap(soldUnits)) add(product_id, { sold: units, owners: 0 });
      for (const { product } of usableProducts(catalog, { product_id: null }, holdings, now))
        add(product.id, { sold: 0, owners: 1 });
    });
    return sales;
  };

  return async ({ sold, progress = unseen }: { sold: boolean; progress?: Progress }): Promise<ListedProduct[]> => {
    const now = clock.now();
    const catalog = await catalogs.current();
    const released = await releases.of([...catalog.products.keys()]);
    const sales = sold ? await salesOf(catalog, now, progress) : null;
    return [...catalog.products.values()].map((product) => ({
      product,
      newest: newest(product, released.get(product.id) ?? [], now),
      sales: sales && (sales.get(product.id) ?? { sold: 0, owners: 0 }),
    }));
  };
};

export type ListShopProducts = ReturnType<typeof listShopProducts>;
