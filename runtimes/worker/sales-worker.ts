import type { AskProviders } from '../../application/sales/ask-providers.ts';
import { SERVICE } from '../../domain/access/actor.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { TurnResult, WorkerLog } from './replay-worker.ts';

/**
 * The worker that requests missing data of events from payment providers. Its sales cause the same mails as those from
 * webhooks. A fault is logged; a later run tries again.
 */
export const salesWorker = (askProviders: AskProviders, log: WorkerLog) => ({
  workOnce: async (): Promise<TurnResult> => {
    try {
      const events = await askProviders(grantPermit(() => ({ ...SERVICE, kind: 'anyone', through: 'webhook worker' })));
      if (events > 0) log.info({ events }, 'payment providers asked');
    } catch (err) {
      log.error({ err }, 'sales fault');
    }
    return 'idle';
  },
});
