import type { CompleteSums } from '../../application/billing/shop-sales.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { TurnResult, WorkerLog } from './replay-worker.ts';

/**
 * The worker that lists and counts the orders that an older version stored, once in the life of a store. A fault is
 * logged; a later run continues.
 */
export const sumsWorker = (completeSums: CompleteSums, log: WorkerLog) => {
  let isComplete = false;
  return {
    workOnce: async (goOn?: () => boolean): Promise<TurnResult> => {
      try {
        if (!isComplete) isComplete = await completeSums(grantPermit(), goOn);
      } catch (err) {
        log.error({ err }, 'sums fault');
      }
      return 'idle';
    },
  };
};
