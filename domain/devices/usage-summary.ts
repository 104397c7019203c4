import { addDays, dayOf, type Instant } from '../shared/instant.ts';
import type { UsageDay } from './usage.ts';

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
