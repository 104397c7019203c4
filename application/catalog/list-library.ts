import type { ProductScope } from '../../domain/access/principal.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { NO_PROGRESS } from '../../domain/catalog/setup-progress.ts';
import { currentBundle, type ReleaseLine, releaseLine } from '../../domain/delivery/offered-release.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import { usableProducts } from '../../domain/licensing/account-products.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { type ProductViews, setupView } from './product-views.ts';

export type Ports = Needs<'catalogs' | 'clock' | 'licenses' | 'links' | 'releases' | 'setupProgresses' | 'versions'> & {
  productViews: ProductViews;
};

/** The products that the caller may use, by id (LibraryApiData of the specification). */
export const listLibrary = ({
  catalogs,
  licenses,
  setupProgresses,
  releases,
  versions,
  clock,
  productViews,
  links,
}: Ports) => {
  const bundle = (product: Product, access: GrantedAccess, line: ReleaseLine) => {
    if (line.offered.length === 0) return null;
    const current = currentBundle(line, access.updates_supported_until);
    if (!current.ok) return { available: false, sha256: null, size: null, download_url: null };
    const { sha256, size } = current.value.artifact;
    return { available: true, sha256, size, download_url: links.bundle(product.id) };
  };

  return async ({ accountId, scope, locale }: { accountId: number; scope: ProductScope; locale: Locale }) => {
    const catalog = await catalogs.current();
    const [holdings, progresses] = await Promise.all([licenses.held(accountId), setupProgresses.ofAccount(accountId)]);
    const now = clock.now();
    const usable = usableProducts(catalog, scope, holdings, now);
    const products = usable.map(({ product }) => product);
    const [released, shown] = await Promise.all([
      releases.of(products.map(({ id }) => id)),
      productViews.inLibrary(products, accountId, locale),
    ]);
    const items = usable.map(({ product, access }, n) => ({
      access_source: access.access_source,
      ...(shown[n] as (typeof shown)[number]),
      setup_progress: setupView(product, progresses.get(product.id) ?? NO_PROGRESS, locale),
      bundle: bundle(
        product,
        access,
        releaseLine(product, released.get(product.id) ?? [], now, versions.order(product.version_scheme)),
      ),
    }));
    return { items };
  };
};

export type ListLibrary = ReturnType<typeof listLibrary>;
