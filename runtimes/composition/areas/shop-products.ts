import { PROVIDER_NAMES, type WebhookSecrets } from '../../../adapters/payments/providers.ts';
import { shopLookHandlers } from '../../../adapters/pipeline/handlers/shop/look.ts';
import { shopNoticesHandlers } from '../../../adapters/pipeline/handlers/shop/notices.ts';
import { shopProductsHandlers } from '../../../adapters/pipeline/handlers/shop/products.ts';
import { shopSupportHandlers } from '../../../adapters/pipeline/handlers/shop/support.ts';
import type { ConnectedProviders } from '../../../ports/outbound/sales.ts';
import { withParts } from '../area.ts';

export const shopProducts = withParts(shopProductsHandlers, {
  connectedProviders: ({ webhookSecrets }: { webhookSecrets: WebhookSecrets }): ConnectedProviders =>
    PROVIDER_NAMES.filter((name) => (webhookSecrets[name] ?? []).length > 0),
});

export const shopSupport = shopSupportHandlers;

/** The face of the shop to its buyers, and its notices to its own people. */
export const [shopLook, shopNotices] = [shopLookHandlers, shopNoticesHandlers];
