/** A time as ISO 8601 in UTC with milliseconds (`2026-11-21T08:00:00.000Z`), which sorts as a string. */
export type Instant = string;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const toInstant = (date: Date | number): Instant => new Date(date).toISOString();

export const millis = (instant: Instant): number => Date.parse(instant);

/** The last time with a four-digit year; later ones would not sort as strings. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The time a number of days later, at most the end of the year 9999. */
export const addDays = (instant: Instant, days: number): Instant =>
  toInstant(Math.min(millis(instant) + days * DAY_MS, LAST_MS));

/** An end, shifted by as much as its beginning, at most to the year 9999; null means never. */
export const movedEnd = (end: Instant | null, begin: Instant, moved: Instant | null): Instant | null =>
  end === null || moved === null ? null : toInstant(Math.min(millis(end) + millis(moved) - millis(begin), LAST_MS));

/** The calendar day of a moment in UTC, `YYYY-MM-DD`. */
export const dayOf = (instant: Instant): string => instant.slice(0, 10);

/** True if the end is at or before now; a null end never passes. */
export const hasPassed = (end: Instant | null, now: Instant): boolean => end !== null && end <= now;

/** True for a moment so far ahead that only a wrong clock can have set it: longer than a pause lasts or clocks differ. */
export const isTooFar = (moment: Instant, now: Instant, mostMinutes = 60): boolean =>
  moment > toInstant(millis(now) + mostMinutes * MINUTE_MS);

/** True until the end of a pause or a claim of at most so many minutes. One that is too far ahead has ended. */
export const awaits = (end: Instant, now: Instant, mostMinutes?: number): boolean =>
  end > now && !isTooFar(end, now, mostMinutes);

/** The later of two ends; null means never. */
export const laterEnd = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || b === null ? null : a > b ? a : b;

/** True for an existing calendar day in the form `YYYY-MM-DD`. */
export const isCalendarDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d{2}:?\d{2}))?$/;

/**
 * Parses a time: a day (its beginning or end in UTC), or a date and time with a zone, as in ISO 8601 or Ruby
 * (`2027-01-31 12:00:00 UTC`). Null for any other text, because other date orders and times without a zone are
 * ambiguous.
 */
export const momentIn = (text: string, part: 'beginning' | 'end'): Instant | null => {
  const [, day = '', time, zone = ''] = MOMENT.exec(text) ?? [];
  if (!isCalendarDay(day)) return null;
  if (time === undefined) return `${day}T${part === 'end' ? '23:59:59.999' : '00:00:00.000'}Z`;
  const at = Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  // An offset can shift the last days of the calendar past its end.
  return !Number.isNaN(at) && /^\d{4}-/.test(toInstant(at)) ? toInstant(at) : null;
};

/** The next attempt at work that failed so often: after a minute, then at doubling intervals of at most the longest. */
export const retryAt = (attempts: number, longestMinutes: number, now: Instant): Instant =>
  toInstant(millis(now) + Math.min(longestMinutes, 2 ** Math.max(0, attempts - 1)) * MINUTE_MS);
