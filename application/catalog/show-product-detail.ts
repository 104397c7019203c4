import type { Product } from '../../domain/catalog/product.ts';
import { inLocale, type Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { PictureLinks } from './picture-links.ts';
import { manualIn, type ProductViews, productView, setupSteps } from './product-views.ts';

export type Ports = Needs<'catalogs' | 'htmlSanitizer' | 'links'> & {
  pictureLinks: PictureLinks;
  productViews: ProductViews;
};

/**
 * The detail page of a product the account owns (ProductDetailApiData of the specification); its HTML is sanitised, and
 * its pictures load without a key.
 */
export const showProductDetail =
  ({ catalogs, links, htmlSanitizer, pictureLinks, productViews }: Ports) =>
  async ({ product, locale }: { product: Product; locale: Locale }) => {
    const [catalog, content] = await Promise.all([catalogs.current(), catalogs.content(product.id)]);
    const html = content?.detail_html ? inLocale(content.detail_html, locale) : undefined;
    const shown = async (sanitized: string) => pictureLinks.shown(sanitized, product.id, content?.assets ?? []);
    const path = (asset: string | null | undefined) => (asset ? links.contentAssetPath(product.id, asset) : null);
    return {
      product: productView(product, catalog, locale, true),
      delivery: product.delivery,
      detail_html: html === undefined ? null : await shown(await htmlSanitizer.sanitize(html)),
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

export type ShowProductDetail = ReturnType<typeof showProductDetail>;
