import type { SendDeliveries } from '../../application/webhooks/send-deliveries.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { TurnResult, WorkerLog } from './replay-worker.ts';

/** The worker that tells the shop's webhooks of changes. A log line has the ids, and no address and no body. */
export const webhookWorker = (sendDeliveries: SendDeliveries, log: WorkerLog) => ({
  workOnce: async (): Promise<TurnResult> => {
    const requests = await sendDeliveries(grantPermit(), ({ webhook, delivery, end, fault, paused }) => {
      const line = { webhook, event: delivery.id, kind: delivery.kind, attempt: delivery.attempts };
      if (end === 'delivered') log.info(line, 'event delivered');
      else log.error({ ...line, fault }, end === 'rests' ? 'event not delivered' : 'event given up');
      if (paused) log.error({ webhook, reason: paused }, 'webhook paused');
    });
    return requests === 0 ? 'idle' : 'done';
  },
});
