import type { ReplayWorker } from './replay-worker.ts';

/** Milliseconds between two looks for jobs, if no bell rings. */
const EVERY_MS = 3000;

export type Poller = {
  /** Looks for jobs now. */
  readonly wake: () => void;
  /** Lets the current batch end, hands its job back, and looks no further. */
  readonly stop: () => Promise<void>;
};

/**
 * Lets a worker do jobs until `stop`: all that wait, then whenever it is woken, and every few seconds. A fault of the
 * store goes to `fault`, and the next look tries again. The timer keeps no process alive.
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
      // After a job the next one may wait; a job that rests or that another worker has makes the look come back busy.
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
