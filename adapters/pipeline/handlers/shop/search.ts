import { searchShop } from '../../../../application/sales/search-shop.ts';
import { ok } from '../../../../domain/shared/outcome.ts';
import * as shopSearch from '../../../../ports/inbound/shop/search.ts';
import type { Needs } from '../../../../ports/outbound/needs.ts';
import { handlingWith } from '../handling.ts';

export const shopSearchHandlers = handlingWith<Needs<'examination'>>()(shopSearch, { searchShop }, (use) => ({
  searchShop: async ({ body }) => ok({ found: await use.searchShop(body.text) }),
  examineShop: async () => ok({ findings: await use.examination() }),
}));
