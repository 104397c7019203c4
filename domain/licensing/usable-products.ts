import { isInScope } from '../access/gates.ts';
import type { ProductScope } from '../access/principal.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { accessTo, type GrantedAccess, productsGranting } from './access.ts';
import type { Holdings } from './entitlement.ts';

export type UsableProduct = { readonly product: Product; readonly access: GrantedAccess };

/** The products that a caller may use with these holdings, each with its access, in the order of the catalog. */
export const usableProducts = (
  { products, bundles }: Pick<Catalog, 'products' | 'bundles'>,
  scope: ProductScope,
  holdings: Holdings,
  now: Instant,
): UsableProduct[] => {
  // Each product looks at the entitlements that name it, and not at all of the account's.
  const byProduct = Map.groupBy(holdings.entitlements, ({ product_id }) => product_id);
  const usable: UsableProduct[] = [];
  for (const product of products.values()) {
    if (!isInScope(scope, product.id)) continue;
    const entitlements = productsGranting(product.id, bundles).flatMap((id) => byProduct.get(id) ?? []);
    const access = accessTo(product, bundles, { ...holdings, entitlements }, now);
    if (access.granted) usable.push({ product, access });
  }
  return usable;
};
