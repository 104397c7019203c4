import { type Instant, toInstant } from '../../domain/shared/instant.ts';
import type { Clock } from '../../ports/outbound/clock.ts';

let lastMillis = Number.NaN;
let lastInstant: Instant = '';

/** The machine's clock. A request asks it several times within a millisecond; the text is made once for each. */
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
