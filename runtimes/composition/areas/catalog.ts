import { PRODUCT_CONTENT_CSS } from '../../../adapters/pipeline/product-content-css.ts';
import { listContentAssets, listLibrary, openContentAsset } from '../../../application/catalog/library.ts';
import { pictureLinks, productViews } from '../../../application/catalog/product-views.ts';
import { listProducts, showProduct, showProductDetail } from '../../../application/catalog/products.ts';
import { listLineages, showDisclosure, showLineage } from '../../../application/catalog/public.ts';
import { saveSetupProgress, showSetupProgress } from '../../../application/catalog/setup-progress.ts';
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
      ok(await use.listLibrary({ account_id: caller.account_id, scope: caller, locale })),
    getProductContentCss: async () => ok(PRODUCT_CONTENT_CSS),
    listContentAssets: async ({ product }) => ok(await use.listContentAssets({ product })),
    getContentAsset: ({ product, params }) => use.openContentAsset({ product, path: params.path }),

    listProducts: async ({ caller, locale, query }) =>
      ok(await use.listProducts({ account_id: caller.account_id, scope: caller, locale, wish: query })),
    getProduct: ({ product, locale }) => use.showProduct({ product, locale }),
    getProductDetail: async ({ product, locale }) => ok(await use.showProductDetail({ product, locale })),

    getSetupProgress: async ({ caller, product, locale }) =>
      ok(await use.showSetupProgress({ account_id: caller.account_id, product, locale })),
    saveSetupProgress: ({ caller, product, body, locale }) =>
      use.saveSetupProgress({
        account_id: caller.account_id,
        product,
        indexes: body.completed_step_indexes,
        locale,
      }),

    listLineages: async ({ locale }) => ok(await use.listLineages({ locale })),
    getLineage: ({ params, locale }) => use.showLineage({ slug: params.slug, locale }),
    getDisclosure: () => use.showDisclosure(),
  }),
});
