import type { AccountPrincipal, ProductScope } from '../../domain/access/principal.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { NO_PROGRESS } from '../../domain/catalog/setup-progress.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { currentBundle, type ReleaseLine, releaseLine } from '../../domain/delivery/offered-release.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import { usableProducts } from '../../domain/licensing/account-products.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Download } from '../shared/files.ts';
import { type ProductViews, setupView } from './product-views.ts';

type Ports = Needs<'catalogs' | 'clock' | 'licenses' | 'links' | 'releases' | 'setupProgresses' | 'versions'> & {
  productViews: ProductViews;
};

/** The products that the caller may use, by id (`LibraryApiData` in the OpenAPI document). */
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

  return async function listLibrary({
    account_id,
    scope,
    caller,
    locale,
  }: {
    account_id: number;
    scope: ProductScope;
    caller?: Pick<AccountPrincipal, 'memberships'> | undefined;
    locale: Locale;
  }) {
    const catalog = await catalogs.current();
    const [holdings, progresses] = await Promise.all([
      licenses.held(account_id, undefined, caller?.memberships),
      setupProgresses.ofAccount(account_id),
    ]);
    const now = clock.now();
    const usable = usableProducts(catalog, scope, holdings, now);
    const products = usable.map(({ product }) => product);
    const [released, views] = await Promise.all([
      releases.of(products.map(({ id }) => id)),
      productViews.inLibrary(products, account_id, locale),
    ]);
    const items = usable.map(({ product, access }, n) => ({
      access_source: access.access_source,
      ...(views[n] as (typeof views)[number]),
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

export const listContentAssets = ({ catalogs, links }: Needs<'catalogs' | 'links'>) =>
  async function listContentAssets({ product }: { product: Product }) {
    const assets = (await catalogs.content(product.id))?.assets ?? [];
    return { assets: assets.map((asset) => ({ ...asset, download_url: links.contentAsset(product.id, asset.path) })) };
  };

/** One content asset of a product. The path must equal a listed one and never reaches a file system. */
export const openContentAsset = ({ catalogs, objects }: Needs<'catalogs' | 'objects'>) =>
  async function openContentAsset({
    product,
    path,
  }: {
    product: Product;
    path: string;
  }): Promise<Outcome<Download, 'not_found'>> {
    const asset = (await catalogs.content(product.id))?.assets.find((one) => one.path === path);
    if (!asset) return refuse('not_found', { message: 'This product has no content asset with this path.' });
    const { sha256, size } = asset;
    return ok({
      filename: path.slice(path.lastIndexOf('/') + 1),
      sha256,
      size,
      open: async (range) => (await objects.open(objectKeyOf(sha256), range))?.stream,
    });
  };
