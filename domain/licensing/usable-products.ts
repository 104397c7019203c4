import { isInScope } from '../access/gates.ts';
import type { ProductScope } from '../access/principal.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { accessTo, type GrantedAccess } from './access.ts';
import type { Holdings } from './entitlement.ts';

export type UsableProduct = { readonly product: Product; readonly access: GrantedAccess };

/** The products that a caller may use with these holdings, each with its access, in the order of the catalog. */
export const usableProducts = (
  { products, bundles }: Pick<Catalog, 'products' | 'bundles'>,
  scope: ProductScope,
  holdings: Holdings,
  now: Instant,
): UsableProduct[] =>
  [...products.values()].flatMap((product) => {
    if (!isInScope(scope, product.id)) return [];
    const access = accessTo(product, bundles, holdings, now);
    return access.granted ? [{ product, access }] : [];
  });
