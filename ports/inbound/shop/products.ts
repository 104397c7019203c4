import * as z from 'zod';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { endpoint } from '../endpoint.ts';
import { bodyInstant, laxBoolean, line, orNull, pathText, queryFlag } from '../fields.ts';

const access = { credential: 'agent', role: 'catalog' } as const;
// `{product}` would look the product up for a buyer, who sees no hidden one.
const named = { named: pathText('id or slug of the product') };
const params = z.object(named);
const refusals = ['shop_not_found', 'shop_refused'] as const;
const one = { kind: 'json', status: 200 } as const;

export const listShopProducts = endpoint({
  id: 'listShopProducts',
  host: 'shop',
  method: 'GET',
  path: '/api/shop/products',
  access,
  query: z.object({ sold: queryFlag('With the units sold and their owners, for which every account is read.') }),
  output: one,
  refusals,
  tool: { name: 'shop_list_products', effect: 'reads' },
});

export const findProduct = endpoint({
  id: 'findProduct',
  host: 'shop',
  method: 'GET',
  path: '/api/shop/products/{named}',
  params,
  access,
  output: one,
  refusals,
  tool: { name: 'shop_show_product', effect: 'reads' },
});

export const listProductReleases = endpoint({
  id: 'listProductReleases',
  host: 'shop',
  method: 'GET',
  path: '/api/shop/products/{named}/releases',
  params,
  access,
  output: one,
  refusals,
  tool: { name: 'shop_list_releases', effect: 'reads' },
});

const change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('withdraw'), reason: line(255, 1).meta({ description: 'a sentence for buyers' }) }),
  z.object({ kind: z.literal('restore') }),
  z.object({ kind: z.literal('move'), channel: z.enum(CHANNELS) }),
  z.object({ kind: z.literal('schedule'), released_at: bodyInstant }),
]);

export const changeRelease = endpoint({
  id: 'changeRelease',
  host: 'shop',
  method: 'POST',
  path: '/api/shop/products/{named}/releases/{version}/changes',
  params: z.object({ ...named, version: pathText('version of the release') }),
  access,
  body: z
    .object({ change, trial: orNull(laxBoolean).meta({ description: 'decide, and change nothing' }) })
    .meta({ id: 'ShopReleaseChangeBody' }),
  output: one,
  refusals,
  tool: { name: 'shop_change_release', effect: 'destroys' },
});
