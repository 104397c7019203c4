import { shopAccounts, shopKeys } from './shop-accounts.ts';
import { shopPeople, shopWebhooks } from './shop-people.ts';
import { shopLook, shopNotices, shopProducts, shopSupport } from './shop-products.ts';
import { shopOrders, shopSales, shopSearch } from './shop-sales.ts';

/** The shop host, by which the shop's own systems and agents do the work of the operator's commands. */
export const shop = [
  shopOrders,
  shopSearch,
  shopSales,
  shopAccounts,
  shopKeys,
  shopProducts,
  shopLook,
  shopSupport,
  shopWebhooks,
  shopPeople,
  shopNotices,
] as const;
