import type { JobBell } from '../../ports/outbound/jobs.ts';

/** Does nothing. It is for a process without a worker: workers elsewhere find the jobs themselves. */
export const silentBell: JobBell = { ring: async () => {} };

/** Wakes the worker in this process. A notification without a listener is lost. */
export class LocalBell implements JobBell {
  #listener: (() => void) | undefined;

  async ring(): Promise<void> {
    this.#listener?.();
  }

  /** Calls the listener at each notification, in place of the previous listener. */
  onRing(listener: () => void): void {
    this.#listener = listener;
  }
}
