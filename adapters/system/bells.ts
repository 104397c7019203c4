import type { JobBell } from '../../ports/outbound/jobs.ts';

/** Rings nobody, where no worker listens: a worker elsewhere finds the jobs itself. */
export const silentBell: JobBell = { ring: async () => {} };

/** Rings the worker in this process. A ring before anybody listens is lost. */
export class LocalBell implements JobBell {
  #listener: (() => void) | undefined;

  async ring(): Promise<void> {
    this.#listener?.();
  }

  /** Calls the listener at each ring, instead of an earlier listener. */
  onRing(listener: () => void): void {
    this.#listener = listener;
  }
}
