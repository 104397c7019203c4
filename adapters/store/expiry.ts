import { addDays, type Instant, millis } from '../../domain/shared/instant.ts';

/** The expiry of an item or counter for a moment: Unix seconds, rounded up, so that nothing expires early. */
export const expiryAt = (moment: Instant): number => Math.ceil(millis(moment) / 1000);

/** The expiry of a counter for the UTC day of `now`: one day later, when that day has certainly ended. */
export const expiryOfDay = (now: Instant): number => expiryAt(addDays(now, 1));
