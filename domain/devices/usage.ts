import type { DailyBound } from '../shared/daily-bound.ts';
import { addDays, dayOf, type Instant, toInstant } from '../shared/instant.ts';
import { utf8Length } from '../shared/plain-text.ts';

/** The use of one product with one device key on one day. */
export type UsageDay = {
  readonly product_id: number;
  /** `YYYY-MM-DD` */
  readonly usage_date: string;
  readonly launches: number;
  /** Counts by command, under the application's names, and any other values it sends; absent if it sent none. */
  readonly commands?: Readonly<Record<string, unknown>> | undefined;
};

/** The age in days of the oldest day whose usage is accepted (UTC): a device that was off for a year can catch up. */
export const USAGE_TAKEN_DAYS = 366;

/** Days for which a row is stored after its date: the displayed year and a month more. */
export const USAGE_KEPT_DAYS = 400;

/**
 * The maximum size of an account's rows in a day, in bytes of JSON. Each key has its own rows, and keys can be
 * recreated, so a limit per key would limit nothing.
 */
export const USAGE_A_DAY: DailyBound = {
  name: 'usage',
  most: 8 * 1024 * 1024,
  what: 'bytes of usage of an account',
};

/** The size of rows toward their daily limit, in bytes. */
export const usageSize = (days: readonly UsageDay[]): number => utf8Length(JSON.stringify(days));

export const usageForgottenAt = ({ usage_date }: UsageDay): Instant =>
  addDays(`${usage_date}T00:00:00.000Z`, USAGE_KEPT_DAYS);

/**
 * Messages by field (`days.N.field`): dates more than one day ahead of UTC or 366 days behind it, and products that the
 * account could not use on their day. `couldUse` is called only for days within these limits.
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

/** The last row of the batch for each product and day. It counts as a whole, so empty `commands` mean none. */
export const lastOfEachDay = (days: readonly UsageDay[]): UsageDay[] => [
  ...new Map(
    days.map(({ product_id, usage_date, launches, commands = {} }) => [
      `${product_id} ${usage_date}`,
      { product_id, usage_date, launches, ...(Object.keys(commands).length > 0 && { commands }) },
    ]),
  ).values(),
];

/** The number of commands shown for a day: the most frequent ones. */
const COMMANDS_SHOWN = 100;

/**
 * The number of commands that are summed, so that a late or rare one is counted fully. Beyond it, the least frequent
 * one is dropped.
 */
const COMMANDS_SUMMED = 1000;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** The most frequent commands, highest first. */
const mostCalled = (sums: readonly (readonly [string, number])[], most: number): CommandSums =>
  Object.fromEntries(sums.toSorted(([, a], [, b]) => b - a).slice(0, most));

/** The sums plus the counts of one more row. Values other than positive integers are ignored. */
const withCommands = (sums: CommandSums, { commands = {} }: Pick<UsageDay, 'commands'>): CommandSums => {
  const counted = Object.entries(commands).filter((one): one is [string, number] => isCount(one[1]));
  if (counted.length === 0) return sums;
  const all = new Map(Object.entries(sums));
  for (const [name, count] of counted) all.set(name, Math.min((all.get(name) ?? 0) + count, Number.MAX_SAFE_INTEGER));
  return all.size > COMMANDS_SUMMED ? mostCalled([...all], COMMANDS_SUMMED) : Object.fromEntries(all);
};

/** The days of usage that are shown by default, and the maximum number of them. */
export const USAGE_DAYS = 30;
export const MOST_USAGE_DAYS = 366;

type CommandSums = Readonly<Record<string, number>>;

/** The use of a day (UTC), of one product or of all, by one account or by many. */
export type UsageSum = {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly launches: number;
  /** Accounts with a launch. */
  readonly accounts: number;
  /** Device keys that reported the day. */
  readonly keys: number;
  readonly commands: CommandSums;
};

/** The days up to today, oldest first, each without any use. */
export const emptyDays = (now: Instant, days: number): UsageSum[] =>
  Array.from({ length: days }, (_, n) => ({
    date: dayOf(addDays(now, n + 1 - days)),
    launches: 0,
    accounts: 0,
    keys: 0,
    commands: {},
  }));

/** The days with the rows of one more account. Rows of other days are ignored. */
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
      commands: own.reduce(withCommands, day.commands),
    };
  });
};

/** A day for display, with the most frequent commands. */
export const shownSum = (day: UsageSum): UsageSum => ({
  ...day,
  commands: mostCalled(Object.entries(day.commands), COMMANDS_SHOWN),
});

export type InstallRecord = {
  readonly id: number;
  readonly account_id: number;
  /** The key that reported it; null if the caller signed in without one. */
  readonly key_id: number | null;
  readonly product_id: number;
  readonly version: string;
  readonly bundle_id: string | null;
  readonly installed_at: Instant;
  readonly release_id: number | null;
  readonly artifact_sha256: string | null;
  readonly recorded_at: Instant;
};

/** A device's report of an install. `installed_at` is any date and time that JavaScript parses. */
export type InstallReport = {
  readonly product_id: number;
  readonly version: string;
  readonly bundle_id: string | null;
  readonly installed_at: string | null;
  readonly release_id: number | null;
  readonly artifact_sha256: string | null;
};

/** Days after which an install expires: a year, for support and statistics, and a month more. */
export const INSTALLS_KEPT_DAYS = 400;

/** The maximum number of installs of an account in a day: one on each of 2000 devices. */
export const INSTALLS_A_DAY: DailyBound = { name: 'installs', most: 2000, what: 'installs of an account' };

export const installForgottenAt = ({ recorded_at }: InstallRecord): Instant => addDays(recorded_at, INSTALLS_KEPT_DAYS);

/** A report as stored. Without a time, it was installed now. */
export const installRecord = (
  report: InstallReport,
  { id, account_id, key_id }: Pick<InstallRecord, 'id' | 'account_id' | 'key_id'>,
  now: Instant,
): InstallRecord => ({
  id,
  account_id,
  key_id,
  product_id: report.product_id,
  version: report.version,
  bundle_id: report.bundle_id,
  installed_at: report.installed_at !== null ? toInstant(new Date(report.installed_at)) : now,
  release_id: report.release_id,
  artifact_sha256: report.artifact_sha256?.toLowerCase() ?? null,
  recorded_at: now,
});

/** No install can be earlier than this; such a clock is wrong. */
const EARLIEST: Instant = '2000-01-01T00:00:00.000Z';

/**
 * Messages by field: a time before the year 2000 or more than a day ahead, and an unknown release. `releases` are those
 * of the product; a withdrawn one may still have been installed.
 */
export const installFaults = (
  { installed_at, release_id }: Pick<InstallReport, 'installed_at' | 'release_id'>,
  releases: readonly { readonly id: number; readonly released_at: Instant }[],
  now: Instant,
): Record<string, string[]> => {
  const at = installed_at === null ? now : toInstant(new Date(installed_at));
  const isKnown =
    release_id === null || releases.some(({ id, released_at }) => id === release_id && released_at <= now);
  return {
    ...(at < EARLIEST && { installed_at: ['The installed at field must not lie before the year 2000.'] }),
    ...(at > addDays(now, 1) && { installed_at: ['The installed at field must not lie more than a day ahead.'] }),
    ...(!isKnown && { release_id: ['The release id field must be a release of the product.'] }),
  };
};

/** The first and the last use of a product by an account, accurate to the day, because they are recorded once a day. */
export type ProductUse = {
  readonly product_id: number;
  readonly first_used_at: Instant;
  readonly last_used_at: Instant;
};

export type Use = { readonly product_id: number; readonly used_at: Instant };

/** The record after another use; null if a use on that day (UTC) or later is already recorded. */
export const withUse = (known: ProductUse | undefined, { product_id, used_at }: Use): ProductUse | null => {
  if (!known) return { product_id, first_used_at: used_at, last_used_at: used_at };
  return dayOf(used_at) > dayOf(known.last_used_at) ? { ...known, last_used_at: used_at } : null;
};

/**
 * The uses in usage rows, one for each product: a row with a launch is a use at the end of its day, or now if that day
 * has not ended.
 */
export const usesIn = (days: readonly UsageDay[], now: Instant): Use[] => {
  const latest = new Map<number, Instant>();
  for (const { product_id, usage_date, launches } of days) {
    const ended = addDays(`${usage_date}T00:00:00.000Z`, 1);
    const used_at = ended < now ? ended : now;
    if (launches > 0 && used_at > (latest.get(product_id) ?? '')) latest.set(product_id, used_at);
  }
  return [...latest].map(([product_id, used_at]) => ({ product_id, used_at }));
};
