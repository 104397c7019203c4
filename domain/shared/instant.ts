/** A moment as ISO 8601 in UTC with milliseconds (`2026-11-21T08:00:00.000Z`), so that string order is time order. */
export type Instant = string;

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

export const toInstant = (date: Date | number): Instant => new Date(date).toISOString();

export const millis = (instant: Instant): number => Date.parse(instant);

export const addDays = (instant: Instant, days: number): Instant => toInstant(millis(instant) + days * DAY_MS);

/** The calendar day of a moment in UTC, `YYYY-MM-DD`. */
export const dayOf = (instant: Instant): string => instant.slice(0, 10);

/** True where the end lies at or before now; a null end never passes. */
export const hasPassed = (end: Instant | null, now: Instant): boolean => end !== null && end <= now;

/** The later of two ends; null is never. */
export const laterEnd = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || b === null ? null : a > b ? a : b;
