import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import type { Clock, Ids, Pauses } from '../../ports/outbound/system.ts';

let lastMillis = Number.NaN;
let lastInstant: Instant = '';

/**
 * The machine's clock. It formats each millisecond once, because a request reads the clock several times within one.
 */
export const systemClock: Clock = {
  now: () => {
    const millis = Date.now();
    if (millis !== lastMillis) {
      lastMillis = millis;
      lastInstant = toInstant(millis);
    }
    return lastInstant;
  },
};

const EPOCH = Date.UTC(2024, 0, 1);
const PER_MILLISECOND = 4096;

/**
 * An id is the milliseconds since 2024 times 4096, plus a count that starts at random in each millisecond, so that two
 * processes rarely make the same id. Within a process each id is larger than the previous one, even if the clock goes
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

const FIRST_MS = 4;
const LONGEST_MS = 250;

/** `before` waits a random time from zero to a bound that doubles with each attempt ("full jitter"), at most 250 ms. */
export const systemPauses: Pauses = {
  before: async (attempt) => {
    await wait(Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt));
  },
  until: async (moment) => {
    await wait(Math.max(0, millis(moment) - Date.now()));
  },
};
