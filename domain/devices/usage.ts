import type { DailyBound } from '../shared/daily-bound.ts';
import { addDays, dayOf, type Instant } from '../shared/instant.ts';
import { utf8Length } from '../shared/utf8.ts';

/** The use of one product with one device key on one day. */
export type UsageDay = {
  readonly product_id: number;
  /** `YYYY-MM-DD` */
  readonly usage_date: string;
  readonly launches: number;
};

/** The oldest day whose usage is taken, in days before today (UTC): a device that was off for a year can catch up. */
export const USAGE_TAKEN_DAYS = 366;

/** Days for which a row is kept after its date: the year that is shown, and a month to look at it. */
export const USAGE_KEPT_DAYS = 400;

/**
 * The most bytes of JSON that the rows of an account have in a day. Each key has its own rows, and keys can be made
 * anew, so that a bound of the rows of one key would bound nothing.
 */
export const USAGE_A_DAY: DailyBound = {
  name: 'usage',
  most: 8 * 1024 * 1024,
  what: 'bytes of usage of an account',
};

/** The bytes of rows toward their daily bound. */
export const usageSize = (days: readonly UsageDay[]): number => utf8Length(JSON.stringify(days));

/** The moment at which a row is forgotten. */
export const usageForgottenAt = ({ usage_date }: UsageDay): Instant =>
  addDays(`${usage_date}T00:00:00.000Z`, USAGE_KEPT_DAYS);

/** True for an existing calendar day in the form `YYYY-MM-DD`. */
export const isCalendarDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

/**
 * Messages by field (`days.N.field`): dates more than one day ahead of UTC or 366 days behind it, and products that the
 * account could not use on their day. `couldUse` is asked for days within these bounds alone.
 */
export const usageFaults = (
  days: readonly UsageDay[],
  couldUse: (day: UsageDay) => boolean,
  now: Instant,
): Record<string, string[]> => {
  const latest = dayOf(addDays(now, 1));
  const earliest = dayOf(addDays(now, -USAGE_TAKEN_DAYS));
  const faults: Record<string, string[]> = {};
  days.forEach((day, index) => {
    const { usage_date } = day;
    if (usage_date > latest) faults[`days.${index}.usage_date`] = [`The usage date must not be after ${latest}.`];
    else if (usage_date < earliest)
      faults[`days.${index}.usage_date`] = [`The usage date must not be before ${earliest}.`];
    else if (!couldUse(day))
      faults[`days.${index}.product_id`] = ['The account could not use this product on this day.'];
  });
  return faults;
};

/** The last row of the batch for each product and day. Members that nobody reads, such as `commands`, are not kept. */
export const lastOfEachDay = (days: readonly UsageDay[]): UsageDay[] => [
  ...new Map(
    days.map(({ product_id, usage_date, launches }) => [
      `${product_id} ${usage_date}`,
      { product_id, usage_date, launches },
    ]),
  ).values(),
];

/** The use of a day (UTC), of one product or of all, by one account or by many. */
export type UsageSum = {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly launches: number;
  /** Accounts with a launch. */
  readonly accounts: number;
  /** Device keys that reported the day. */
  readonly keys: number;
};

/** The days up to today, oldest first, each without any use. */
export const emptyDays = (now: Instant, days: number): UsageSum[] =>
  Array.from({ length: days }, (_, n) => ({
    date: dayOf(addDays(now, n + 1 - days)),
    launches: 0,
    accounts: 0,
    keys: 0,
  }));

/** The days with the rows of one more account. Rows of other days are left out. */
export const withAccount = (
  days: readonly UsageSum[],
  rows: readonly (UsageDay & { readonly key_id: number })[],
): UsageSum[] => {
  const byDate = Map.groupBy(rows, ({ usage_date }) => usage_date);
  return days.map((day) => {
    const own = byDate.get(day.date) ?? [];
    const launches = own.reduce((sum, row) => sum + row.launches, 0);
    return {
      date: day.date,
      launches: day.launches + launches,
      accounts: day.accounts + (launches > 0 ? 1 : 0),
      keys: day.keys + new Set(own.map(({ key_id }) => key_id)).size,
    };
  });
};
