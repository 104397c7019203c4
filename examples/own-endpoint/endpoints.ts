import { endpoint } from 'account-service/endpoints/endpoint';
import { bodyInteger, productId } from 'account-service/endpoints/fields';
import * as z from 'zod';

export const rateProduct = endpoint({
  id: 'rateProduct',
  host: 'api',
  method: 'PUT',
  path: '/api/products/{product}/rating',
  params: z.object({ product: productId }),
  access: { credential: 'key', ability: 'support.report', requires: ['entitlement'] },
  body: z.object({ stars: bodyInteger({ minimum: 1, maximum: 5 }) }),
  output: { kind: 'json', status: 200 },
  refusals: [],
  ownRefusals: { product_not_used: { status: 409, message: 'Use this product once before you rate it.' } },
  tool: { name: 'rate_product', effect: 'replaces' },
});
