import type { Catalog } from '../catalog/catalog.ts';
import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { type Access, accessTo } from './access.ts';
import type { Holdings } from './entitlement.ts';

export type PurchasedProduct = {
  readonly product: Product;
  readonly access: Access;
  /** True where the product only stands for a bundle of others. */
  readonly isBundle: boolean;
};

/**
 * The products that these holdings give or gave access to, those in force first, in the order of the catalog. A product
 * that was never held is none of them.
 */
export const purchasedProducts = (
  { products, bundles }: Pick<Catalog, 'products' | 'bundles'>,
  holdings: Holdings,
  now: Instant,
): PurchasedProduct[] => {
  const all = [...products.values()].flatMap((product) => {
    const access = accessTo(product, bundles, holdings, now);
    if (!access.granted && access.reason === 'not_entitled') return [];
    return [{ product, access, isBundle: bundles.some(({ product_id }) => product_id === product.id) }];
  });
  return [...all.filter(({ access }) => access.granted), ...all.filter(({ access }) => !access.granted)];
};
