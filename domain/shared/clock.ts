import { DAY_MS, type Instant, MINUTE_MS, millis } from './instant.ts';

/** A clock that is off by more than this must be corrected by a person. */
const FAR_DAYS = 30;

/**
 * Compares this machine's clock with the newest time in the store: undefined if they agree. An idle store looks like a
 * clock that jumped ahead, so only a large jump counts as wrong.
 */
export const clockFault = (
  seen: Instant,
  now: Instant,
): { readonly isWrong: boolean; readonly message: string } | undefined => {
  const ahead = millis(now) - millis(seen);
  if (ahead >= -MINUTE_MS && ahead <= DAY_MS) return undefined;
  if (ahead < 0) {
    const message = `The clock says ${now}, and the store has seen ${seen} already; set the clock, because webhooks and sign-ins are refused by a clock that is behind.`;
    return { isWrong: true, message };
  }
  const message = `The clock says ${now}, and the newest moment that the store has seen is ${seen}; set the clock, or if it is right, let a server run: until it has caught up, a day of the store an hour, no later data is deleted as expired.`;
  return { isWrong: ahead > FAR_DAYS * DAY_MS, message };
};
