import { type Instant, toInstant } from '../../domain/shared/instant.ts';
import type { Clock } from '../../ports/outbound/system.ts';

let lastMillis = Number.NaN;
let lastInstant: Instant = '';

/**
 * The machine's clock. It makes one text for each millisecond, because a request asks for it several times within one.
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
