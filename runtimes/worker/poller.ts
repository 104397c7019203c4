import type { ReplayWorker } from './replay-worker.ts';

/** The interval between two checks for jobs without a notification, in milliseconds. */
const EVERY_MS = 3000;

export type Poller = {
  /** Checks for jobs now. */
  readonly wake: () => void;
  /** Lets the current batch finish, returns its job, and stops checking. */
  readonly stop: () => Promise<void>;
};

/**
 * Runs a worker's jobs until `stop`: all waiting ones, then whenever it is woken, and every few seconds. A fault of the
 * store goes to `fault`, and the next check tries again. The timer keeps no process alive.
 */
export const startPoller = (
  worker: Pick<ReplayWorker, 'workOnce'>,
  fault: (error: unknown) => void,
  everyMs = EVERY_MS,
): Poller => {
  const is = { stopped: false, woken: false };
  let work: Promise<void> | undefined;

  const doAll = async (): Promise<void> => {
    while (is.woken && !is.stopped) {
      is.woken = false;
      const worked = await worker.workOnce(() => !is.stopped);
      // After a job, the next one may be waiting; a check returns busy if a job pauses or another worker has it.
      if (worked === 'done' || worked === 'failed') is.woken = true;
    }
  };
  const wake = (): void => {
    is.woken = true;
    if (is.stopped || work !== undefined) return;
    work = doAll()
      .catch(fault)
      .then(() => {
        work = undefined;
      });
  };

  const timer = setInterval(wake, everyMs).unref();
  wake();
  return {
    wake,
    stop: async () => {
      is.stopped = true;
      clearInterval(timer);
      await work;
    },
  };
};
