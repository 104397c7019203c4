import {
  describeProduct,
  findProduct,
  listProductReleases,
  listShopProducts,
  showUsage,
} from '../../../application/operations/products.ts';

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
