import { addDays, type Instant, millis } from '../../domain/shared/instant.ts';

/** A moment as the expiry of an item or counter: Unix seconds, rounded up, so nothing expires early. */
export const expiryAt = (moment: Instant): number => Math.ceil(millis(moment) / 1000);

/** The expiry of a count that is kept for the day (UTC) of `now`: a day after `now`, when that day has ended. */
export const expiryOfDay = (now: Instant): number => expiryAt(addDays(now, 1));
