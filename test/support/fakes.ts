import type { Instant } from '../../domain/shared/instant.ts';
import { NOW } from './builders.ts';

/* A test replaces the system's clock, ids and pauses by these, where it must know the time or the next id. */

/** A clock that stands still until the test sets `at`. */
export const aClock = (at: Instant = NOW) => {
  const clock = { at, now: (): Instant => clock.at };
  return clock;
};

/** Counts up, so that a test knows each id beforehand. */
export const countedIds = (first = 1) => {
  let next = first;
  return { next: () => next++ };
};

/** Creates a use case that lost a race try again at once. */
export const noPauses = { before: async () => {}, until: async () => {} };
