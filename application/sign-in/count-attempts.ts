import { countOf } from '../../domain/shared/count-of.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { type AttemptLimit, attemptWindow } from '../../domain/sign-in/attempts.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { Contention } from '../shared/contended.ts';

export type CountedAttempt = {
  /** Undoes the counts, because the attempt was correct. */
  readonly forgive: () => Promise<void>;
};

/** The time for which a count is kept after its window, in seconds. */
const RETENTION_SECONDS = 60;

/**
 * Counts an attempt against each of its limits before anything is compared, so that concurrent attempts can't exceed
 * them together. The limits count in order, and the first exhausted one refuses, so an attempt refused for its own
 * address does not use up a shared limit. The refusal's `retry_after` is in seconds.
 */
export const countAttempts = ({ rateLimits, clock }: Needs<'clock' | 'rateLimits'>) =>
  async function countAttempts(limits: readonly AttemptLimit[]): Promise<Outcome<CountedAttempt, 'too_many_attempts'>> {
    const now = clock.now();
    const counted: (() => Promise<void>)[] = [];
    for (const limit of limits) {
      const window = attemptWindow(limit, now);
      const hit = [limit.subject, window.id, window.ends_at + RETENTION_SECONDS] as const;
      const count = await rateLimits.hit(...hit);
      if (count === null) throw new Contention('Too many attempts at once; try again.');
      if (count > limit.most) {
        return refuse('too_many_attempts', {
          message: `There were too many attempts; try again in ${countOf(Math.ceil(window.left / 60), 'minute')}.`,
          data: { retry_after: window.left },
        });
      }
      counted.push(() => rateLimits.takeBack(...hit));
    }
    return ok({
      forgive: async () => {
        await Promise.all(counted.map((takeBack) => takeBack()));
      },
    });
  };

export type CountAttempts = ReturnType<typeof countAttempts>;
