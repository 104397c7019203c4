import { PROVIDER_NAMES, type WebhookSecrets } from '../../../adapters/payments/providers.ts';
import { shopAccountsHandlers } from '../../../adapters/pipeline/handlers/shop/accounts.ts';
import { shopKeysHandlers } from '../../../adapters/pipeline/handlers/shop/keys.ts';
import { shopLookHandlers } from '../../../adapters/pipeline/handlers/shop/look.ts';
import { shopNoticesHandlers } from '../../../adapters/pipeline/handlers/shop/notices.ts';
import { shopOrdersHandlers } from '../../../adapters/pipeline/handlers/shop/orders.ts';
import { shopPeopleHandlers } from '../../../adapters/pipeline/handlers/shop/people.ts';
import { shopProductsHandlers } from '../../../adapters/pipeline/handlers/shop/products.ts';
import { shopSalesHandlers } from '../../../adapters/pipeline/handlers/shop/sales.ts';
import { shopSearchHandlers } from '../../../adapters/pipeline/handlers/shop/search.ts';
import { shopSupportHandlers } from '../../../adapters/pipeline/handlers/shop/support.ts';
import { shopWebhooksHandlers } from '../../../adapters/pipeline/handlers/shop/webhooks.ts';
import { resendOrderMail } from '../../../application/billing/shop-orders.ts';
import type { ConnectedProviders } from '../../../ports/outbound/sales.ts';
import type { ShopExamination } from '../../../ports/outbound/system.ts';
import { ifSet, withParts } from '../area.ts';

/** A program that examines its shop overrides `examination`. */
const search = withParts(shopSearchHandlers, {
  examination: (): ShopExamination => async () => [],
  providerNames: () => PROVIDER_NAMES,
});

/** The shop host, by which the shop's own systems and agents do the work of the operator's commands. */
export const shop = [
  withParts(shopOrdersHandlers, { resendOrderMail: ifSet('mailSettings', resendOrderMail) }),
  search,
  shopSalesHandlers,
  shopAccountsHandlers,
  shopKeysHandlers,
  withParts(shopProductsHandlers, {
    connectedProviders: ({ webhookSecrets }: { webhookSecrets: WebhookSecrets }): ConnectedProviders =>
      PROVIDER_NAMES.filter((name) => (webhookSecrets[name] ?? []).length > 0),
  }),
  shopLookHandlers,
  shopSupportHandlers,
  shopWebhooksHandlers,
  shopPeopleHandlers,
  shopNoticesHandlers,
] as const;
