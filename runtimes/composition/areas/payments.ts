import { StoredPaymentEvents } from '../../../adapters/store/payment-events.ts';
import { listEvents, replayEvents } from '../../../application/sales/payment-events.ts';
import { receiveEvent } from '../../../application/sales/receive-event.ts';
import { settleEvent } from '../../../application/sales/settle-event.ts';
import type { PaymentEvents, PaymentProviders } from '../../../ports/outbound/sales.ts';
import { type Make, part } from '../area.ts';
import type { WebhookSecrets } from '../feature-config.ts';
import { providersOf } from '../payment-providers.ts';

/** The events of payment providers. */
export const payments = {
  parts: {
    paymentEvents: part(StoredPaymentEvents) as Make<
      ConstructorParameters<typeof StoredPaymentEvents>[0],
      PaymentEvents
    >,
    paymentProviders: ({ webhookSecrets }: { readonly webhookSecrets: WebhookSecrets }): PaymentProviders =>
      providersOf(webhookSecrets),
    settleEvent,
    receiveEvent,
    listEvents,
    replayEvents,
  },
};
