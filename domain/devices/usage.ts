import { addDays, dayOf, type Instant } from '../shared/instant.ts';

/** One day's use of one product on one device key. */
export type UsageDay = {
  readonly product_id: number;
  /** `YYYY-MM-DD` */
  readonly usage_date: string;
  readonly launches: number;
  readonly commands: Readonly<Record<string, unknown>>;
};

/** True for a day of the calendar written `YYYY-MM-DD`. */
export const isCalendarDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

/** Faults of a batch by `days.N.field`: dates more than a day ahead of UTC, and products the account may not use. */
export const usageFaults = (
  days: readonly UsageDay[],
  mayUse: (productId: number) => boolean,
  now: Instant,
): Record<string, string[]> => {
  const latest = dayOf(addDays(now, 1));
  const faults: Record<string, string[]> = {};
  days.forEach((day, index) => {
    if (day.usage_date > latest) faults[`days.${index}.usage_date`] = [`The usage date must not be after ${latest}.`];
    if (!mayUse(day.product_id)) faults[`days.${index}.product_id`] = ['The product is not one this key may use.'];
  });
  return faults;
};

/** The rows to keep: for each product and day the last one of the batch. */
export const lastOfEachDay = (days: readonly UsageDay[]): UsageDay[] => [
  ...new Map(days.map((day) => [`${day.product_id} ${day.usage_date}`, day])).values(),
];
