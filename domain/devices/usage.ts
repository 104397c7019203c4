import { addDays, dayOf, type Instant } from '../shared/instant.ts';

/** The use of one product with one device key on one day. */
export type UsageDay = {
  readonly product_id: number;
  /** `YYYY-MM-DD` */
  readonly usage_date: string;
  readonly launches: number;
  readonly commands: Readonly<Record<string, unknown>>;
};

/** True for an existing calendar day in the form `YYYY-MM-DD`. */
export const isCalendarDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

/** Messages by field (`days.N.field`): dates more than one day ahead of UTC, and products that the key may not use. */
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

/** The last row of the batch for each product and day. */
export const lastOfEachDay = (days: readonly UsageDay[]): UsageDay[] => [
  ...new Map(days.map((day) => [`${day.product_id} ${day.usage_date}`, day])).values(),
];
