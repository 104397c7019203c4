import { ListContentAssets } from '../../application/catalog/list-content-assets.ts';
import { ListLibrary } from '../../application/catalog/list-library.ts';
import { ListLineages } from '../../application/catalog/list-lineages.ts';
import { ListProducts } from '../../application/catalog/list-products.ts';
import { OpenContentAsset } from '../../application/catalog/open-content-asset.ts';
import { ProductViews } from '../../application/catalog/product-views.ts';
import { SaveSetupProgress } from '../../application/catalog/save-setup-progress.ts';
import { ShowDisclosure } from '../../application/catalog/show-disclosure.ts';
import { ShowLineage } from '../../application/catalog/show-lineage.ts';
import { ShowProduct } from '../../application/catalog/show-product.ts';
import { ShowProductDetail } from '../../application/catalog/show-product-detail.ts';
import { ShowSetupProgress } from '../../application/catalog/show-setup-progress.ts';
import { areaModule, type Overrides } from './binder.ts';

export const catalog = (overrides: Overrides) =>
  areaModule(overrides, (binder) =>
    binder
      .part('productViews', ProductViews, ({ links, htmlSanitizer }) => ({ links, htmlSanitizer }))
      .part('listLibrary', ListLibrary, (part) => ({
        catalogs: part.catalogs,
        licenses: part.licenses,
        setupProgresses: part.setupProgresses,
        releases: part.releases,
        versions: part.versions,
        links: part.links,
        clock: part.clock,
        productViews: part.productViews,
      }))
      .part('listProducts', ListProducts, ({ catalogs, licenses, clock }) => ({ catalogs, licenses, clock }))
      .part('showProduct', ShowProduct, ({ catalogs }) => ({ catalogs }))
      .part('showProductDetail', ShowProductDetail, ({ catalogs, links, htmlSanitizer, productViews }) => ({
        catalogs,
        links,
        htmlSanitizer,
        productViews,
      }))
      .part('listLineages', ListLineages, ({ catalogs }) => ({ catalogs }))
      .part('showLineage', ShowLineage, ({ catalogs }) => ({ catalogs }))
      .part('showDisclosure', ShowDisclosure, ({ catalogs }) => ({ catalogs }))
      .part('listContentAssets', ListContentAssets, ({ catalogs, links }) => ({ catalogs, links }))
      .part('openContentAsset', OpenContentAsset, ({ catalogs, objects }) => ({ catalogs, objects }))
      .part('showSetupProgress', ShowSetupProgress, ({ setupProgresses }) => ({ setupProgresses }))
      .part('saveSetupProgress', SaveSetupProgress, ({ setupProgresses, clock }) => ({ setupProgresses, clock })),
  );
