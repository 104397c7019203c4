import { DescribeProduct } from '../../../application/operations/describe-product.ts';
import { FindProduct } from '../../../application/operations/find-product.ts';
import { ListProductReleases } from '../../../application/operations/list-product-releases.ts';
import { ListShopProducts } from '../../../application/operations/list-shop-products.ts';
import { ShowUsage } from '../../../application/operations/show-usage.ts';
import { part } from '../area.ts';

/** The operator's commands about products and their use. */
export const products = {
  parts: {
    findProduct: part(FindProduct),
    listProductReleases: part(ListProductReleases),
    listShopProducts: part(ListShopProducts),
    describeProduct: part(DescribeProduct),
    showUsage: part(ShowUsage),
  },
};
