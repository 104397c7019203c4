import { describeProduct } from '../../../application/operations/describe-product.ts';
import { findProduct } from '../../../application/operations/find-product.ts';
import { listProductReleases } from '../../../application/operations/list-product-releases.ts';
import { listShopProducts } from '../../../application/operations/list-shop-products.ts';
import { showUsage } from '../../../application/operations/show-usage.ts';

/** The operator's commands about products and their use. */
export const products = {
  parts: {
    findProduct,
    listProductReleases,
    listShopProducts,
    describeProduct,
    showUsage,
  },
};
