import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { PasswordTurns, TurnLane } from '../../ports/outbound/accounts.ts';

/** Hashes that are computed at once, each of which takes 128 MiB. */
const RUNNING = 2;

/** The most that wait in each lane, so that the last one waits for a few seconds. */
const WAITING = 8;

/** Seconds after which to try again. */
const RETRY_SECONDS = 5;

/**
 * Runs two tasks at once. Eight of each lane wait in the order of their arrival, and strangers only go on when nobody
 * known waits. Each lane has its own places, so that strangers can't take those of known browsers.
 */
export class BoundedTurns implements PasswordTurns {
  #running = 0;
  readonly #waiting: Readonly<Record<TurnLane, (() => void)[]>> = { known: [], stranger: [] };

  async take<T>(lane: TurnLane, task: () => Promise<T>): Promise<Outcome<T, 'busy'>> {
    const queue = this.#waiting[lane];
    if (this.#running < RUNNING) this.#running++;
    else if (queue.length < WAITING) await new Promise<void>((resolve) => queue.push(resolve));
    else {
      return refuse('busy', {
        message: 'Many people are signing in; try again in a moment.',
        data: { retry_after: RETRY_SECONDS },
      });
    }
    try {
      return ok(await task());
    } finally {
      // The place passes directly to the next one, so that a task arriving now cannot overtake it.
      const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
