import { PROVIDER_NAMES, type WebhookSecrets } from '../../../adapters/payments/providers.ts';
import { shopAccountsHandlers } from '../../../adapters/pipeline/handlers/shop/accounts.ts';
import { shopOrdersHandlers } from '../../../adapters/pipeline/handlers/shop/orders.ts';
import { shopProductsHandlers } from '../../../adapters/pipeline/handlers/shop/products.ts';
import { shopSalesHandlers } from '../../../adapters/pipeline/handlers/shop/sales.ts';
import { shopSupportHandlers } from '../../../adapters/pipeline/handlers/shop/support.ts';
import { shopWebhooksHandlers } from '../../../adapters/pipeline/handlers/shop/webhooks.ts';
import type { ConnectedProviders } from '../../../ports/outbound/sales.ts';
import { withParts } from '../area.ts';

/** The shop host, by which the shop's own systems and agents do the work of the operator's commands. */
export const shop = [
  shopOrdersHandlers,
  shopSalesHandlers,
  shopAccountsHandlers,
  withParts(shopProductsHandlers, {
    connectedProviders: ({ webhookSecrets }: { webhookSecrets: WebhookSecrets }): ConnectedProviders =>
      PROVIDER_NAMES.filter((name) => (webhookSecrets[name] ?? []).length > 0),
  }),
  shopSupportHandlers,
  shopWebhooksHandlers,
] as const;
