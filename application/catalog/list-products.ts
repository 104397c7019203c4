import type { ProductScope } from '../../domain/access/principal.ts';
import { isInScope } from '../../domain/access/principal.ts';
import { type BrowseWish, browse } from '../../domain/catalog/browse.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { productView } from './product-views.ts';

export type Ports = Needs<'catalogs' | 'clock' | 'licenses'>;
export type Input = { accountId: number; scope: ProductScope; wish: BrowseWish; locale: Locale };

/** The products on sale that match the wish; `entitled` tells whether the account may use a product. */
export const listProducts =
  ({ catalogs, licenses, clock }: Ports) =>
  async ({ accountId, scope, wish, locale }: Input) => {
    const [catalog, holdings] = await Promise.all([catalogs.current(), licenses.held(accountId)]);
    const now = clock.now();
    return {
      products: browse(catalog, wish, locale)
        .filter((product) => isInScope(scope, product.id))
        .map((product) =>
          productView(product, catalog, locale, accessTo(product, catalog.bundles, holdings, now).granted),
        ),
    };
  };

export type ListProducts = ReturnType<typeof listProducts>;
