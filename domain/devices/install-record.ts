import type { DailyBound } from '../shared/daily-bound.ts';
import { addDays, type Instant, toInstant } from '../shared/instant.ts';

/** An install as a device reported it. */
export type InstallRecord = {
  readonly id: number;
  readonly account_id: number;
  /** The key that reported it; null where the caller had signed in without one. */
  readonly key_id: number | null;
  readonly product_id: number;
  readonly version: string;
  readonly bundle_id: string | null;
  readonly installed_at: Instant;
  readonly release_id: number | null;
  readonly artifact_sha256: string | null;
  readonly recorded_at: Instant;
};

/** A device's report of an install. `installed_at` is any date and time that JavaScript reads. */
export type InstallReport = {
  readonly product_id: number;
  readonly version: string;
  readonly bundle_id: string | null;
  readonly installed_at: string | null;
  readonly release_id: number | null;
  readonly artifact_sha256: string | null;
};

/** Days after which an install is forgotten: a year, for support and statistics, and a month to look at them. */
export const INSTALLS_KEPT_DAYS = 400;

/** The installs of an account in a day: one for each of 2000 devices. */
export const INSTALLS_A_DAY: DailyBound = { name: 'installs', most: 2000, what: 'installs of an account' };

/** The moment at which an install is forgotten. */
export const installForgottenAt = ({ recorded_at }: InstallRecord): Instant => addDays(recorded_at, INSTALLS_KEPT_DAYS);

/** A report as it is kept. Without a moment of its own it was installed now. */
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

/** No install is reported from before this moment: a clock that says so is wrong. */
const EARLIEST: Instant = '2000-01-01T00:00:00.000Z';

/**
 * Sentences by field: a moment before the year 2000 or more than a day ahead, and a release that is none of the
 * product's. `releases` are those of the product; one that was withdrawn may still have been installed.
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
