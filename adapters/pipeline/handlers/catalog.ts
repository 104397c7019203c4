import { listContentAssets, listLibrary, openContentAsset } from '../../../application/catalog/library.ts';
import { listProducts, showProduct, showProductDetail } from '../../../application/catalog/products.ts';
import { listLineages, showDisclosure, showLineage } from '../../../application/catalog/public.ts';
import { saveSetupProgress, showSetupProgress } from '../../../application/catalog/setup-progress.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import * as apiCatalog from '../../../ports/inbound/api/catalog.ts';
import { PRODUCT_CONTENT_CSS } from '../product-content-css.ts';
import { handling } from './handling.ts';

export const catalogHandlers = handling(
  apiCatalog,
  {
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
  (use) => ({
    getLibrary: async (call) => ok(await use.listLibrary(call)),
    getProductContentCss: async () => ok(PRODUCT_CONTENT_CSS),
    listContentAssets: async (call) => ok(await use.listContentAssets(call)),
    getContentAsset: ({ product, params }) => use.openContentAsset({ product, path: params.path }),

    listProducts: async (call) => ok(await use.listProducts(call)),
    getProduct: (call) => use.showProduct(call),
    getProductDetail: async (call) => ok(await use.showProductDetail(call)),

    getSetupProgress: async (call) => ok(await use.showSetupProgress(call)),
    saveSetupProgress: ({ body, ...call }) => use.saveSetupProgress({ ...call, ...body }),

    listLineages: async (call) => ok(await use.listLineages(call)),
    getLineage: ({ params, locale }) => use.showLineage({ ...params, locale }),
    getDisclosure: () => use.showDisclosure(),
  }),
);
