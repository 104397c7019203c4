import { lazy } from '../../../adapters/system/loading.ts';
import { sendDeliveries } from '../../../application/webhooks/send-deliveries.ts';
import type { WebhookSender } from '../../../ports/outbound/webhooks.ts';

/** The sending to webhooks, which a worker does. Its client is loaded with the first request. */
export const webhooks = {
  parts: {
    webhookSender: (): WebhookSender => {
      const open = lazy(async () =>
        (await import('../../../adapters/outbound-http/webhook-sender.ts')).webhookSender(),
      );
      return { send: async (request) => (await open()).send(request) };
    },
    sendDeliveries,
  },
};
