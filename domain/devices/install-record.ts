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
