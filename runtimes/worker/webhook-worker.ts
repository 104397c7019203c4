import type { SendDeliveries, SentDelivery } from '../../application/webhooks/send-deliveries.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { TurnResult, WorkerLog } from './replay-worker.ts';

/** The worker that sends changes to the shop's webhooks. A log line has the ids, and no address and no body. */
export const webhookWorker = (sendDeliveries: SendDeliveries, log: WorkerLog) => ({
  workOnce: async (goOn?: () => boolean): Promise<TurnResult> => {
    const tell = ({ webhook, delivery, end, fault, paused }: SentDelivery): void => {
      const line = { webhook, event: delivery.id, kind: delivery.kind, attempt: delivery.attempts };
      if (end === 'delivered') log.info(line, 'event delivered');
      else log.error({ ...line, fault }, end === 'rests' ? 'event not delivered' : 'event given up');
      if (paused) log.error({ webhook, reason: paused }, 'webhook paused');
    };
    const requests = await sendDeliveries(grantPermit(), tell, goOn);
    return requests === 0 ? 'idle' : 'done';
  },
});
