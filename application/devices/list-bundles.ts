import type { ProductScope } from '../../domain/access/principal.ts';
import { isInScope } from '../../domain/access/principal.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Bundle } from '../../domain/catalog/product.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import type { Holdings } from '../../domain/licensing/entitlement.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { inLocale, type Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'catalogs' | 'clock' | 'licenses'>;

export const bundleView = ({ id, name, product_ids }: Bundle, locale: Locale) => ({
  id,
  name: inLocale(name, locale) ?? '',
  product_ids,
});

/** True where the account has access to the bundle itself, not just to its products. */
export const ownsBundle = (bundle: Bundle, catalog: Catalog, holdings: Holdings, now: Instant): boolean => {
  const product = catalog.products.get(bundle.product_id);
  return product !== undefined && accessTo(product, catalog.bundles, holdings, now).granted;
};

/**
 * The bundles on sale; for a caller bound to one product, only those with that product. An unpublished product appears
 * neither as a bundle nor in one, except to an account with access to it.
 */
export const listBundles =
  ({ catalogs, licenses, clock }: Ports) =>
  async ({ accountId, scope, locale }: { accountId: number; scope: ProductScope; locale: Locale }) => {
    const [catalog, holdings] = await Promise.all([catalogs.current(), licenses.held(accountId)]);
    const now = clock.now();
    const isVisible = (productId: number): boolean => {
      const product = catalog.products.get(productId);
      return product !== undefined && (product.published || accessTo(product, catalog.bundles, holdings, now).granted);
    };
    return {
      bundles: catalog.bundles
        .filter(
          ({ active, product_id, product_ids }) =>
            active && isVisible(product_id) && [product_id, ...product_ids].some((id) => isInScope(scope, id)),
        )
        .map((bundle) => ({
          ...bundleView(bundle, locale),
          product_ids: bundle.product_ids.filter(isVisible),
          product_id: bundle.product_id,
          entitled: ownsBundle(bundle, catalog, holdings, now),
        })),
    };
  };

export type ListBundles = ReturnType<typeof listBundles>;
