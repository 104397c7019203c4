import { catalogHandlers } from '../../../adapters/pipeline/handlers/catalog.ts';
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
import * as apiCatalog from '../../../ports/inbound/api/catalog.ts';

/** Products, lineages and content of the store, and an account's library. */
export const catalog = {
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
  handlers: catalogHandlers,
};
