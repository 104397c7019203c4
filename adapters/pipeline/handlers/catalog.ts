import type { ListContentAssets } from '../../../application/catalog/list-content-assets.ts';
import type { ListLibrary } from '../../../application/catalog/list-library.ts';
import type { ListProducts } from '../../../application/catalog/list-products.ts';
import type { OpenContentAsset } from '../../../application/catalog/open-content-asset.ts';
import type { SaveSetupProgress } from '../../../application/catalog/save-setup-progress.ts';
import type { ShowProduct } from '../../../application/catalog/show-product.ts';
import type { ShowProductDetail } from '../../../application/catalog/show-product-detail.ts';
import type { ShowSetupProgress } from '../../../application/catalog/show-setup-progress.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../call.ts';
import { PRODUCT_CONTENT_CSS } from '../product-content-css.ts';

export type CatalogUseCases = {
  listLibrary: ListLibrary;
  listProducts: ListProducts;
  showProduct: ShowProduct;
  showProductDetail: ShowProductDetail;
  listContentAssets: ListContentAssets;
  openContentAsset: OpenContentAsset;
  showSetupProgress: ShowSetupProgress;
  saveSetupProgress: SaveSetupProgress;
};

type Answered =
  | 'getLibrary'
  | 'getProductContentCss'
  | 'listContentAssets'
  | 'getContentAsset'
  | 'listProducts'
  | 'getProduct'
  | 'getProductDetail'
  | 'getSetupProgress'
  | 'saveSetupProgress';

export const catalogHandlers = (use: CatalogUseCases): HandlersOf<Answered> => ({
  getLibrary: async ({ key, locale }) => ok(await use.listLibrary.execute({ key, locale })),
  getProductContentCss: async () => ok(PRODUCT_CONTENT_CSS),
  listContentAssets: async ({ product }) => ok(await use.listContentAssets.execute({ product })),
  getContentAsset: ({ product, path }) => use.openContentAsset.execute({ product, path: path.path }),

  listProducts: async ({ key, locale, query }) =>
    ok(await use.listProducts.execute({ key, locale, wish: { ...query, sort: query.sort ?? 'id' } })),
  getProduct: async ({ product, access, locale }) => ok(await use.showProduct.execute({ product, access, locale })),
  getProductDetail: async ({ product, locale }) => ok(await use.showProductDetail.execute({ product, locale })),

  getSetupProgress: async ({ key, product }) =>
    ok(await use.showSetupProgress.execute({ accountId: key.account_id, product })),
  saveSetupProgress: ({ key, product, body, admitted }) =>
    use.saveSetupProgress.execute({
      accountId: key.account_id,
      product,
      indexes: body.completed_step_indexes,
      admitted,
    }),
});
