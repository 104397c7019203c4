import type { CompleteErasure } from '../../application/accounts/accounts.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { TurnResult, WorkerLog } from './replay-worker.ts';

/**
 * The worker that completes the waiting erasures of accounts, all in one scan of the store, and logs its progress each
 * minute. A fault is logged; a later run continues.
 */
export const erasureWorker = (completeErasure: CompleteErasure, log: WorkerLog) => ({
  workOnce: async (goOn: () => boolean = () => true): Promise<TurnResult> => {
    try {
      let logged = '';
      const erased = await completeErasure(grantPermit(), ({ accounts, entries, began_at, walked_at }) => {
        const minute = walked_at.slice(0, 'YYYY-MM-DDTHH:MM'.length);
        if (minute !== logged) log.info({ accounts: accounts.length, entries, began_at }, 'erasure walk');
        logged = minute;
        return goOn();
      });
      for (const account of erased) log.info({ account }, 'erasure completed');
      return erased.length > 0 ? 'done' : 'idle';
    } catch (err) {
      log.error({ err }, 'erasure fault');
      return 'idle';
    }
  },
});
