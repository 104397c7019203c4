import { shopAccountsHandlers } from '../../../adapters/pipeline/handlers/shop/accounts.ts';
import { shopOrdersHandlers } from '../../../adapters/pipeline/handlers/shop/orders.ts';
import { shopProductsHandlers } from '../../../adapters/pipeline/handlers/shop/products.ts';
import { shopSalesHandlers } from '../../../adapters/pipeline/handlers/shop/sales.ts';
import { shopSupportHandlers } from '../../../adapters/pipeline/handlers/shop/support.ts';
import { shopWebhooksHandlers } from '../../../adapters/pipeline/handlers/shop/webhooks.ts';

/** The shop host, by which the shop's own systems and agents do the work of the operator's commands. */
export const shop = [
  shopOrdersHandlers,
  shopSalesHandlers,
  shopAccountsHandlers,
  shopProductsHandlers,
  shopSupportHandlers,
  shopWebhooksHandlers,
] as const;
