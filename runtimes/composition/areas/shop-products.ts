import { PROVIDER_NAMES, type WebhookSecrets } from '../../../adapters/payments/providers.ts';
import { shopProductsHandlers } from '../../../adapters/pipeline/handlers/shop/products.ts';
import type { ConnectedProviders } from '../../../ports/outbound/sales.ts';
import { withParts } from '../area.ts';

export const shopProducts = withParts(shopProductsHandlers, {
  connectedProviders: ({ webhookSecrets }: { webhookSecrets: WebhookSecrets }): ConnectedProviders =>
    PROVIDER_NAMES.filter((name) => (webhookSecrets[name] ?? []).length > 0),
});
