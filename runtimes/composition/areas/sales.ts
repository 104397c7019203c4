import { type ApiKeys, providersOf, type WebhookSecrets } from '../../../adapters/payments/providers.ts';
import { StoredPaymentEvents } from '../../../adapters/store/payment-events.ts';
import { StoredSales } from '../../../adapters/store/sales.ts';
import { askProviders } from '../../../application/sales/ask-providers.ts';
import { countOpenEvents, listEvents, replayEvents } from '../../../application/sales/payment-events.ts';
import { receiveEvent } from '../../../application/sales/receive-event.ts';
import { recordSale } from '../../../application/sales/record-sale.ts';
import { settleEvent } from '../../../application/sales/settle-event.ts';
import { syncSales } from '../../../application/sales/sync-sales.ts';
import type { PaymentEvents, PaymentProviders, Sales } from '../../../ports/outbound/sales.ts';
import { onAudited } from '../area.ts';

/** Records the sales that payment providers report. */
export const sales = {
  parts: {
    sales: onAudited<Sales>(StoredSales),
    recordSale,
  },
};

/** The events of payment providers. */
export const payments = {
  parts: {
    paymentEvents: (parts: ConstructorParameters<typeof StoredPaymentEvents>[0]): PaymentEvents =>
      new StoredPaymentEvents(parts),
    paymentProviders: (settings: { webhookSecrets: WebhookSecrets; providerKeys: ApiKeys }): PaymentProviders =>
      providersOf(settings.webhookSecrets, settings.providerKeys),
    settleEvent,
    askProviders,
    syncSales,
    receiveEvent,
    countOpenEvents,
    listEvents,
    replayEvents,
  },
};
