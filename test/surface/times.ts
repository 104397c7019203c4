import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, type Instant, MINUTE_MS, toInstant } from '../../domain/shared/instant.ts';

/** The time within which every mount shows a change of the catalog. Functions cache it for 30 seconds. */
export const LONGEST_CATALOG_AGE_MS = 45_000;

/** An instant relative to now. Mounts use the real clock. */
export const daysFromNow = (days: number): Instant => toInstant(Date.now() + days * DAY_MS);
export const daysAgo = (days: number): Instant => daysFromNow(-days);

/** A calendar day in UTC, counted from today. */
export const dayFromNow = (days: number): string => daysFromNow(days).slice(0, 10);

const NEEDED_MS = 5000;

/**
 * Waits for the next clock minute if this one could end during the case, because rate limits count by the clock minute.
 */
export const withinOneMinute = async (): Promise<void> => {
  const left = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (left < NEEDED_MS) await sleep(left + 50);
};
