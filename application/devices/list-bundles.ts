import type { ApiKey } from '../../domain/access/api-key.ts';
import { isInScope } from '../../domain/access/gates.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Bundle } from '../../domain/catalog/product.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import type { Holdings } from '../../domain/licensing/entitlement.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { inLocale, type Locale } from '../../domain/shared/locale.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Licenses } from '../../ports/outbound/licenses.ts';

type Ports = { catalogs: Catalogs; licenses: Licenses; clock: Clock };

export const bundleView = ({ id, name, product_ids }: Bundle, locale: Locale) => ({
  id,
  name: inLocale(name, locale) ?? '',
  product_ids,
});

/** True where the account owns the bundle itself, not just its products. */
export const ownsBundle = (bundle: Bundle, catalog: Catalog, holdings: Holdings, now: Instant): boolean => {
  const product = catalog.products.get(bundle.product_id);
  return product !== undefined && accessTo(product, catalog.bundles, holdings, now).granted;
};

/**
 * Bundles that are sold; of a key bound to one product, those with that product. What is unpublished is named neither as a
 * bundle nor as a part of one, but to an account that can access it.
 */
export class ListBundles {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, locale }: { key: ApiKey; locale: Locale }) {
    const { catalogs, licenses, clock } = this.#ports;
    const [catalog, holdings] = await Promise.all([catalogs.current(), licenses.held(key.account_id)]);
    const now = clock.now();
    const isVisible = (productId: number): boolean => {
      const product = catalog.products.get(productId);
      return product !== undefined && (product.published || accessTo(product, catalog.bundles, holdings, now).granted);
    };
    return {
      bundles: catalog.bundles
        .filter(
          ({ active, product_id, product_ids }) =>
            active && isVisible(product_id) && [product_id, ...product_ids].some((id) => isInScope(key, id)),
        )
        .map((bundle) => ({
          ...bundleView(bundle, locale),
          product_ids: bundle.product_ids.filter(isVisible),
          product_id: bundle.product_id,
          entitled: ownsBundle(bundle, catalog, holdings, now),
        })),
    };
  }
}
