import { shopAccountsHandlers } from '../../../adapters/pipeline/handlers/shop/accounts.ts';
import { shopKeysHandlers } from '../../../adapters/pipeline/handlers/shop/keys.ts';
import { shopLookHandlers } from '../../../adapters/pipeline/handlers/shop/look.ts';
import { shopNoticesHandlers } from '../../../adapters/pipeline/handlers/shop/notices.ts';
import { shopPeopleHandlers } from '../../../adapters/pipeline/handlers/shop/people.ts';
import { shopSalesHandlers } from '../../../adapters/pipeline/handlers/shop/sales.ts';
import { shopSupportHandlers } from '../../../adapters/pipeline/handlers/shop/support.ts';
import { shopWebhooksHandlers } from '../../../adapters/pipeline/handlers/shop/webhooks.ts';
import { shopProducts } from './shop-products.ts';
import { shopOrders, shopSearch } from './shop-sales.ts';

/** The shop host, by which the shop's own systems and agents do the work of the operator's commands. */
export const shop = [
  shopOrders,
  shopSearch,
  shopSalesHandlers,
  shopAccountsHandlers,
  shopKeysHandlers,
  shopProducts,
  shopLookHandlers,
  shopSupportHandlers,
  shopWebhooksHandlers,
  shopPeopleHandlers,
  shopNoticesHandlers,
] as const;
