import type { ListContentAssets } from '../../../application/catalog/list-content-assets.ts';
import type { ListLibrary } from '../../../application/catalog/list-library.ts';
import type { ListLineages } from '../../../application/catalog/list-lineages.ts';
import type { ListProducts } from '../../../application/catalog/list-products.ts';
import type { OpenContentAsset } from '../../../application/catalog/open-content-asset.ts';
import type { SaveSetupProgress } from '../../../application/catalog/save-setup-progress.ts';
import type { ShowDisclosure } from '../../../application/catalog/show-disclosure.ts';
import type { ShowLineage } from '../../../application/catalog/show-lineage.ts';
import type { ShowProduct } from '../../../application/catalog/show-product.ts';
import type { ShowProductDetail } from '../../../application/catalog/show-product-detail.ts';
import type { ShowSetupProgress } from '../../../application/catalog/show-setup-progress.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../handler.ts';
import { PRODUCT_CONTENT_CSS } from '../product-content-css.ts';

export type UseCases = {
  readonly listLibrary: ListLibrary;
  readonly listProducts: ListProducts;
  readonly showProduct: ShowProduct;
  readonly showProductDetail: ShowProductDetail;
  readonly listContentAssets: ListContentAssets;
  readonly openContentAsset: OpenContentAsset;
  readonly showSetupProgress: ShowSetupProgress;
  readonly saveSetupProgress: SaveSetupProgress;
  readonly listLineages: ListLineages;
  readonly showLineage: ShowLineage;
  readonly showDisclosure: ShowDisclosure;
};

export type Answered =
  | 'getLibrary'
  | 'getProductContentCss'
  | 'listContentAssets'
  | 'getContentAsset'
  | 'listProducts'
  | 'getProduct'
  | 'getProductDetail'
  | 'getSetupProgress'
  | 'saveSetupProgress'
  | 'listLineages'
  | 'getLineage'
  | 'getDisclosure';

export const catalogHandlers = (use: UseCases): HandlersOf<Answered> => ({
  getLibrary: async ({ caller, locale }) =>
    ok(await use.listLibrary({ accountId: caller.account_id, scope: caller, locale })),
  getProductContentCss: async () => ok(PRODUCT_CONTENT_CSS),
  listContentAssets: async ({ product }) => ok(await use.listContentAssets({ product })),
  getContentAsset: ({ product, params }) => use.openContentAsset({ product, path: params.path }),

  listProducts: async ({ caller, locale, query }) =>
    ok(await use.listProducts({ accountId: caller.account_id, scope: caller, locale, wish: query })),
  getProduct: async ({ product, access, locale }) => ok(await use.showProduct({ product, access, locale })),
  getProductDetail: async ({ product, locale }) => ok(await use.showProductDetail({ product, locale })),

  getSetupProgress: async ({ caller, product, locale }) =>
    ok(await use.showSetupProgress({ accountId: caller.account_id, product, locale })),
  saveSetupProgress: ({ caller, product, body, locale, permit }) =>
    use.saveSetupProgress({
      accountId: caller.account_id,
      product,
      indexes: body.completed_step_indexes,
      locale,
      permit,
    }),

  listLineages: async ({ locale }) => ok(await use.listLineages({ locale })),
  getLineage: ({ params, locale }) => use.showLineage({ slug: params.slug, locale }),
  getDisclosure: () => use.showDisclosure(),
});
