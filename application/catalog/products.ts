import { type AccountPrincipal, isInScope, type ProductScope } from '../../domain/access/principal.ts';
import { type BrowseInput, browse } from '../../domain/catalog/browse.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { type Access, accessTo } from '../../domain/licensing/access.ts';
import { inLocale, type Locale, localeServed } from '../../domain/shared/locale.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Clearance } from '../shared/steps.ts';
import { manualIn, type PictureLinks, type ProductViews, productView, setupSteps } from './product-views.ts';

/** The products on sale that match the query; `entitled` is true if the account may use the product. */
export const listProducts = ({ catalogs, licenses, clock }: Needs<'catalogs' | 'clock' | 'licenses'>) =>
  async function listProducts({
    account_id,
    scope,
    caller,
    query,
    locale,
  }: {
    account_id: number;
    scope: ProductScope;
    caller?: Pick<AccountPrincipal, 'memberships'> | undefined;
    query: BrowseInput;
    locale: Locale;
  }) {
    const [catalog, holdings] = await Promise.all([
      catalogs.current(),
      licenses.held(account_id, undefined, caller?.memberships),
    ]);
    const now = clock.now();
    return {
      products: browse(catalog, query, locale)
        .filter((product) => isInScope(scope, product.id))
        .map((product) =>
          productView(product, catalog, locale, accessTo(product, catalog.bundles, holdings, now).granted),
        ),
    };
  };

/** One product of the catalog (`ProductApiData` in the OpenAPI document). */
export const showProduct = ({ catalogs }: { catalogs: Catalogs }) =>
  async function showProduct({ product, locale }: { product: Product; locale: Locale }) {
    const catalog = await catalogs.current();
    return async ({ access }: Clearance<Access>) =>
      ok({ product: productView(product, catalog, locale, access.granted) });
  };

type Ports = Needs<'catalogs' | 'htmlSanitizer' | 'links'> & {
  pictureLinks: PictureLinks;
  productViews: ProductViews;
};

/**
 * The detail page of a product the account owns (`ProductDetailApiData` in the OpenAPI document); its HTML is
 * sanitized, and its pictures load without a key.
 */
export const showProductDetail = ({ catalogs, links, htmlSanitizer, pictureLinks, productViews }: Ports) =>
  async function showProductDetail({ product, locale }: { product: Product; locale: Locale }) {
    const [catalog, content] = await Promise.all([catalogs.current(), catalogs.content(product.id)]);
    const html = content?.detail_html ? inLocale(content.detail_html, locale) : undefined;
    const sign = async (sanitized: string) => pictureLinks.sign(sanitized, product.id, content?.assets ?? []);
    const shownProduct = productView(product, catalog, locale, true);
    const path = (asset: string | null | undefined) => (asset ? links.contentAssetPath(product.id, asset) : null);
    return {
      // The reported language is that of the page, which people read.
      product: {
        ...shownProduct,
        content_locale: localeServed(content?.detail_html ?? {}, locale) ?? shownProduct.content_locale,
      },
      delivery: product.delivery,
      detail_html: html === undefined ? null : await sign(await htmlSanitizer.sanitize(html)),
      manual: manualIn(product, locale),
      setup_steps: setupSteps(product, locale),
      runtime: product.runtime,
      platforms: product.platforms,
      ...(await productViews.hero(product, locale)),
      gallery: (content?.gallery ?? []).map((image) => ({
        path: links.contentAssetPath(product.id, image.path),
        alt: image.alt ? (inLocale(image.alt, locale) ?? null) : null,
      })),
      videos: (content?.videos ?? []).map((video) => ({
        url: video.url,
        title: video.title ? (inLocale(video.title, locale) ?? null) : null,
      })),
      usage_path: path(content?.usage_path),
      architecture_path: path(content?.architecture_path),
      ai_prompt_path: path(content?.ai_prompt_path),
    };
  };
