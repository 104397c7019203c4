import { catalogHandlers } from '../../../adapters/pipeline/handlers/catalog.ts';
import { ListContentAssets } from '../../../application/catalog/list-content-assets.ts';
import { ListLibrary } from '../../../application/catalog/list-library.ts';
import { ListLineages } from '../../../application/catalog/list-lineages.ts';
import { ListProducts } from '../../../application/catalog/list-products.ts';
import { OpenContentAsset } from '../../../application/catalog/open-content-asset.ts';
import { PictureLinks } from '../../../application/catalog/picture-links.ts';
import { ProductViews } from '../../../application/catalog/product-views.ts';
import { SaveSetupProgress } from '../../../application/catalog/save-setup-progress.ts';
import { ShowDisclosure } from '../../../application/catalog/show-disclosure.ts';
import { ShowLineage } from '../../../application/catalog/show-lineage.ts';
import { ShowProduct } from '../../../application/catalog/show-product.ts';
import { ShowProductDetail } from '../../../application/catalog/show-product-detail.ts';
import { ShowSetupProgress } from '../../../application/catalog/show-setup-progress.ts';
import * as apiCatalog from '../../../ports/inbound/api/catalog.ts';
import { part } from '../area.ts';

/** Products, lineages and content of the store, and an account's library. */
export const catalog = {
  parts: {
    pictureLinks: part(PictureLinks),
    productViews: part(ProductViews),
    listLibrary: part(ListLibrary),
    listProducts: part(ListProducts),
    showProduct: part(ShowProduct),
    showProductDetail: part(ShowProductDetail),
    listLineages: part(ListLineages),
    showLineage: part(ShowLineage),
    showDisclosure: part(ShowDisclosure),
    listContentAssets: part(ListContentAssets),
    openContentAsset: part(OpenContentAsset),
    showSetupProgress: part(ShowSetupProgress),
    saveSetupProgress: part(SaveSetupProgress),
  },
  endpoints: apiCatalog,
  handlers: catalogHandlers,
};
