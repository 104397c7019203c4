import type { Instant } from '../../domain/shared/instant.ts';
import { NOW } from './builders.ts';

/* Replacements of the system's clock, ids and pauses, for tests that must know the time or the next id. */

/** A clock that stands still until the test sets `at`. */
export const aClock = (at: Instant = NOW) => {
  const clock = { at, now: (): Instant => clock.at };
  return clock;
};

/** Counts up, so that a test knows each id in advance. */
export const countedIds = (first = 1) => {
  let next = first;
  return { next: () => next++ };
};

/** Lets a use case that lost a race retry immediately. */
export const noPauses = { before: async () => {}, until: async () => {} };
