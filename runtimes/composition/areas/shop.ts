import { shopKeysHandlers } from '../../../adapters/pipeline/handlers/shop/keys.ts';
import { shopLookHandlers } from '../../../adapters/pipeline/handlers/shop/look.ts';
import { shopNoticesHandlers } from '../../../adapters/pipeline/handlers/shop/notices.ts';
import { shopAccounts } from './shop-accounts.ts';
import { shopPeople, shopWebhooks } from './shop-people.ts';
import { shopProducts, shopSupport } from './shop-products.ts';
import { shopOrders, shopSales, shopSearch } from './shop-sales.ts';

/** The shop host, by which the shop's own systems and agents do the work of the operator's commands. */
export const shop = [
  shopOrders,
  shopSearch,
  shopSales,
  shopAccounts,
  shopKeysHandlers,
  shopProducts,
  shopLookHandlers,
  shopSupport,
  shopWebhooks,
  shopPeople,
  shopNoticesHandlers,
] as const;
