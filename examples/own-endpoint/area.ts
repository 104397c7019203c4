import { ownArea, part } from 'account-service/area';
import * as endpoints from './endpoints.ts';
import { RateProduct } from './rate-product.ts';
import { storedRatings } from './stored-ratings.ts';

export const ratings = ownArea({
  parts: { ratings: storedRatings, rateProduct: part(RateProduct) },
  endpoints,
  documentation: () => import('./documentation.ts'),
  handlers: (use: { readonly rateProduct: RateProduct }) => ({
    rateProduct: ({ caller, product, body, permit }) =>
      use.rateProduct.execute({ accountId: caller.account_id, productId: product.id, stars: body.stars, permit }),
  }),
});
