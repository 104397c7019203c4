import type { Outcome } from '../../domain/shared/outcome.ts';

/** A browser or a session that the account knows goes before strangers. */
export type TurnLane = 'known' | 'stranger';

/** The turns of work on passwords, which costs much memory and time, at the wish of people and of whoever guesses. */
export interface PasswordTurns {
  /**
   * Runs the task when it is its turn. `busy`, without having run it, where as many wait as can; the refusal's
   * `retry_after` is in seconds.
   */
  take<T>(lane: TurnLane, task: () => Promise<T>): Promise<Outcome<T, 'busy'>>;
}
