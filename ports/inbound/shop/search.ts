import * as z from 'zod';
import { FOUND_KINDS } from '../../../domain/sales/found.ts';
import { component, id, nullableText } from '../answers.ts';
import { line } from '../fields.ts';
import { shopEndpoints } from './terms.ts';

/** The text is in the body, because URLs are logged. */
export const searchShop = shopEndpoints('support')({
  id: 'searchShop',
  method: 'POST',
  path: '/api/shop/searches',
  body: () =>
    component('ShopSearchBody', {
      text: line(1024, 1).meta({
        description: 'an address or its beginning, an id, a number, a key, a device or a name',
      }),
    }),
  answer: () =>
    z.object({
      found: z.array(
        z.object({
          kind: z.enum(FOUND_KINDS),
          id: z.union([z.string(), z.int()]).describe('the id of the record; the slug of a product; a device’s own id'),
          title: z.string(),
          account_id: id.nullable(),
          provider: nullableText.describe('the payment provider of an event'),
        }),
      ),
    }),
  tool: { name: 'shop_search', effect: 'reads' },
});

export const examineShop = shopEndpoints('everything')({
  id: 'examineShop',
  path: '/api/shop/findings',
  answer: () =>
    z.object({
      findings: z.array(
        z.object({
          check: z.string(),
          kind: z.enum(['fine', 'next', 'wrong']).describe('`next` is a step that a new shop has not taken yet'),
          message: z.string(),
        }),
      ),
    }),
  tool: { name: 'shop_examine', effect: 'reads' },
});
