import { PRODUCT_CONTENT_CSS } from '../../../adapters/pipeline/product-content-css.ts';
import { listContentAssets } from '../../../application/catalog/list-content-assets.ts';
import { listLibrary } from '../../../application/catalog/list-library.ts';
import { listLineages } from '../../../application/catalog/list-lineages.ts';
import { listProducts } from '../../../application/catalog/list-products.ts';
import { openContentAsset } from '../../../application/catalog/open-content-asset.ts';
import { pictureLinks } from '../../../application/catalog/picture-links.ts';
import { productViews } from '../../../application/catalog/product-views.ts';
import { saveSetupProgress } from '../../../application/catalog/save-setup-progress.ts';
import { showDisclosure } from '../../../application/catalog/show-disclosure.ts';
import { showLineage } from '../../../application/catalog/show-lineage.ts';
import { showProduct } from '../../../application/catalog/show-product.ts';
import { showProductDetail } from '../../../application/catalog/show-product-detail.ts';
import { showSetupProgress } from '../../../application/catalog/show-setup-progress.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import * as apiCatalog from '../../../ports/inbound/api/catalog.ts';
import { area } from '../area.ts';

/** Products, lineages and content of the store, and an account's library. */
export const catalog = area({
  parts: {
    pictureLinks,
    productViews,
    listLibrary,
    listProducts,
    showProduct,
    showProductDetail,
    listLineages,
    showLineage,
    showDisclosure,
    listContentAssets,
    openContentAsset,
    showSetupProgress,
    saveSetupProgress,
  },
  endpoints: apiCatalog,
  handlers: (use) => ({
    getLibrary: async ({ caller, locale }) =>
      ok(await use.listLibrary({ accountId: caller.account_id, scope: caller, locale })),
    getProductContentCss: async () => ok(PRODUCT_CONTENT_CSS),
    listContentAssets: async ({ product }) => ok(await use.listContentAssets({ product })),
    getContentAsset: ({ product, params }) => use.openContentAsset({ product, path: params.path }),

    listProducts: async ({ caller, locale, query }) =>
      ok(await use.listProducts({ accountId: caller.account_id, scope: caller, locale, wish: query })),
    getProduct: ({ product, locale }) => use.showProduct({ product, locale }),
    getProductDetail: async ({ product, locale }) => ok(await use.showProductDetail({ product, locale })),

    getSetupProgress: async ({ caller, product, locale }) =>
      ok(await use.showSetupProgress({ accountId: caller.account_id, product, locale })),
    saveSetupProgress: ({ caller, product, body, locale }) =>
      use.saveSetupProgress({
        accountId: caller.account_id,
        product,
        indexes: body.completed_step_indexes,
        locale,
      }),

    listLineages: async ({ locale }) => ok(await use.listLineages({ locale })),
    getLineage: ({ params, locale }) => use.showLineage({ slug: params.slug, locale }),
    getDisclosure: () => use.showDisclosure(),
  }),
});
