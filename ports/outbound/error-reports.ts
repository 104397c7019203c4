import type { Permit } from '../../domain/access/permit.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { ErrorGroup } from '../../domain/support/error-group.ts';
import type { ErrorReport } from '../../domain/support/error-report.ts';

/** A group as it was read. `group` is undefined where there is none, and where it is forgotten. */
export type ReadGroup = { readonly group: ErrorGroup | undefined; readonly version: string | null };

export interface ErrorReports {
  readGroup(fingerprint: string, now: Instant): Promise<ReadGroup>;
  /** Writes the group; false, with nothing written, where it has changed since it was read. */
  saveGroup(permit: Permit, group: ErrorGroup, read: ReadGroup): Promise<boolean>;
  /**
   * Adds `by` to the number of reports of a group and returns the sum, from `by` on. One atomic step. Null, with
   * nothing counted, where the group gets more reports than can be counted at the moment: this is answered at once.
   */
  count(permit: Permit, fingerprint: string, by: number, now: Instant): Promise<number | null>;
  /** Takes back a count, for a report whose group is not made. */
  uncount(permit: Permit, fingerprint: string, by: number, now: Instant): Promise<void>;
  /** Adds `by` to the number of a scope's new groups on the day of `now` (UTC) and returns the sum. One atomic step. */
  countNewGroup(permit: Permit, scope: string, by: 1 | -1, now: Instant): Promise<number>;
  /** Keeps a report under its number, in place of the report `REPORTS_KEPT` numbers before. */
  keep(permit: Permit, report: ErrorReport, number: number): Promise<void>;

  /** Every group that is not forgotten. */
  groups(now: Instant): AsyncIterable<ErrorGroup>;
  /** The number of reports that came of each group, in the order of `fingerprints`. */
  counts(fingerprints: readonly string[], now: Instant): Promise<number[]>;
  /** The kept reports of a group, newest first. */
  reports(fingerprint: string, now: Instant): Promise<ErrorReport[]>;
}
