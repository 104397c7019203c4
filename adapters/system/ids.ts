import { randomInt } from 'node:crypto';
import { millis } from '../../domain/shared/instant.ts';
import type { Clock, Ids } from '../../ports/outbound/system.ts';
import { systemClock } from './clock.ts';

const EPOCH = Date.UTC(2024, 0, 1);
const PER_MILLISECOND = 4096;

/**
 * An id is the milliseconds since 2024 times 4096, plus a count that starts at random in each millisecond, so that two
 * processes rarely make the same id. Within a process each id is larger than the one before, even if the clock goes
 * back or a millisecond runs out of counts. Ids stay below 2^53 until 2093.
 */
export const systemIds = (clock: Clock = systemClock): Ids => {
  let last = 0;
  return {
    next: () => {
      const start = (millis(clock.now()) - EPOCH) * PER_MILLISECOND;
      last = start > last ? start + randomInt(PER_MILLISECOND) : last + 1;
      return last;
    },
  };
};
