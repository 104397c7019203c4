import { PROVIDER_NAMES } from '../../../adapters/payments/providers.ts';
import { shopOrdersHandlers } from '../../../adapters/pipeline/handlers/shop/orders.ts';
import { shopSearchHandlers } from '../../../adapters/pipeline/handlers/shop/search.ts';
import { resendOrderMail } from '../../../application/billing/shop-orders.ts';
import type { ShopExamination } from '../../../ports/outbound/system.ts';
import { ifSet, withParts } from '../area.ts';

export const shopOrders = withParts(shopOrdersHandlers, {
  resendOrderMail: ifSet('mailSettings', resendOrderMail),
});

/** A program that examines its shop overrides `examination`. */
export const shopSearch = withParts(shopSearchHandlers, {
  examination: (): ShopExamination => async () => [],
  providerNames: () => PROVIDER_NAMES,
});
