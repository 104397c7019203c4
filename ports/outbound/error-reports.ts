import type { Instant } from '../../domain/shared/instant.ts';
import type { ErrorGroup } from '../../domain/support/error-group.ts';
import type { ErrorReport } from '../../domain/support/error-report.ts';

/** A group as it was read; undefined where there is none, or none any more. */
export type ReadGroup = { readonly group: ErrorGroup | undefined; readonly version: string | null };

export type CountedGroup = { readonly group: ErrorGroup; readonly count: number };

export interface ErrorReports {
  readGroup(fingerprint: string, now: Instant): Promise<ReadGroup>;
  /** Writes the group; false where it has changed since it was read. */
  saveGroup(group: ErrorGroup, read: ReadGroup): Promise<boolean>;
  /** Counts one report of a group and returns which it is, from 1 on; one atomic step. */
  count(fingerprint: string, now: Instant): Promise<number>;
  /** Takes back the count of a report whose group is not made. */
  uncount(fingerprint: string, now: Instant): Promise<void>;
  /** Adds to the groups that were new in a scope on this day (UTC), and returns how many they are; one atomic step. */
  countNewGroup(scope: string, by: 1 | -1, now: Instant): Promise<number>;
  /** Keeps a report, in the place of the one that came so many before it that it isn't kept any more. */
  keep(report: ErrorReport, number: number): Promise<void>;

  /** Every group that isn't forgotten by now. */
  groups(now: Instant): AsyncIterable<ErrorGroup>;
  /** How many reports of each group came. */
  counts(fingerprints: readonly string[], now: Instant): Promise<number[]>;
  /** The reports that are kept of a group, newest first. */
  reports(fingerprint: string, now: Instant): Promise<ErrorReport[]>;
}
