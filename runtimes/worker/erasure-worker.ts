import type { CompleteErasure } from '../../application/operations/accounts.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { TurnResult, WorkerLog } from './replay-worker.ts';

/** The worker that completes the erasures of accounts, one at a time. A fault is logged; a later look tries again. */
export const erasureWorker = (completeErasure: CompleteErasure, log: WorkerLog) => ({
  workOnce: async (): Promise<TurnResult> => {
    try {
      const account = await completeErasure(grantPermit());
      if (account === undefined) return 'idle';
      log.info({ account }, 'erasure completed');
      return 'done';
    } catch (err) {
      log.error({ err }, 'erasure fault');
      return 'idle';
    }
  },
});
