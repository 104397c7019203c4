/** A moment as ISO 8601 in UTC with milliseconds (`2026-11-21T08:00:00.000Z`), so that string order is time order. */
export type Instant = string;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const toInstant = (date: Date | number): Instant => new Date(date).toISOString();

export const millis = (instant: Instant): number => Date.parse(instant);

/** The last moment whose year has four digits, without which the order of texts is not that of time. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The moment so many days later, at most the end of the year 9999. */
export const addDays = (instant: Instant, days: number): Instant =>
  toInstant(Math.min(millis(instant) + days * DAY_MS, LAST_MS));

/** An end, moved by as much as its beginning, to no year of more than four digits; null is never. */
export const movedEnd = (end: Instant | null, begin: Instant, moved: Instant | null): Instant | null =>
  end === null || moved === null ? null : toInstant(Math.min(millis(end) + millis(moved) - millis(begin), LAST_MS));

/** The calendar day of a moment in UTC, `YYYY-MM-DD`. */
export const dayOf = (instant: Instant): string => instant.slice(0, 10);

/** True if the end lies at or before now; a null end never passes. */
export const hasPassed = (end: Instant | null, now: Instant): boolean => end !== null && end <= now;

/** The later of two ends; null is never. */
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
 * The moment in a text: a day, which is its beginning or its end in UTC, or a day and time with a zone, as ISO 8601 and
 * Ruby write it (`2027-01-31 12:00:00 UTC`). Null for any other text, because a date in another order, a day that does
 * not exist and a time without a zone would be guessed.
 */
export const momentIn = (text: string, part: 'beginning' | 'end'): Instant | null => {
  const [, day = '', time, zone = ''] = MOMENT.exec(text) ?? [];
  if (!isCalendarDay(day)) return null;
  if (time === undefined) return `${day}T${part === 'end' ? '23:59:59.999' : '00:00:00.000'}Z`;
  const at = Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  // An offset leads the last days of the calendar out of it.
  return !Number.isNaN(at) && /^\d{4}-/.test(toInstant(at)) ? toInstant(at) : null;
};
