import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';
import type { ErrorReport, ErrorType } from './error-report.ts';
import { scrubText } from './scrub-text.ts';

/** The errors with one fingerprint, which count as the same error. */
export type ErrorGroup = {
  readonly fingerprint: string;
  readonly app_bundle_id: string;
  readonly error_type: ErrorType;
  readonly exception: string | null;
  /** The first line of the first report's message. */
  readonly title: string;
  /** The frames in the fingerprint, beside type and exception. */
  readonly frames: readonly string[];
  readonly first_seen: Instant;
  /** Exact to the minute, because it is written at most once a minute. */
  readonly last_seen: Instant;
  /** Versions of the application that reported the error, in the order of their first report; the last 20. */
  readonly versions: readonly string[];
};

const MAX_TITLE = 200;
const MAX_VERSIONS = 20;
const MAX_FRAME = 200;

const titleOf = (message: string): string => (message.trim().split(/[\r\n]/, 1)[0] as string).slice(0, MAX_TITLE);

/** The group of its first report. */
export const newGroup = (
  report: ErrorReport,
  { exception, frames }: { exception: string | null; frames: readonly string[] },
): ErrorGroup => ({
  fingerprint: report.fingerprint,
  app_bundle_id: report.app_bundle_id,
  error_type: report.error_type,
  exception: exception === null ? null : scrubText(exception),
  title: titleOf(report.error_message),
  frames: frames.map((frame) => scrubText(frame).slice(0, MAX_FRAME)),
  first_seen: report.received_at,
  last_seen: report.received_at,
  versions: [report.app_version],
});

/** The group with a `last_seen` that includes the kept reports, which may have come since the group was written. */
export const seenWith = (group: ErrorGroup, reports: readonly ErrorReport[]): ErrorGroup => {
  const last_seen = reports.reduce(
    (latest, { received_at }) => (received_at > latest ? received_at : latest),
    group.last_seen,
  );
  return { ...group, last_seen };
};

/** The group with a further report; null where the version is known and `last_seen` is less than a minute old. */
export const withReport = (group: ErrorGroup, report: ErrorReport): ErrorGroup | null => {
  const isKnown = group.versions.includes(report.app_version);
  if (isKnown && millis(report.received_at) - millis(group.last_seen) < MINUTE_MS) return null;
  const versions = isKnown ? group.versions : [...group.versions, report.app_version].slice(-MAX_VERSIONS);
  const last_seen = report.received_at > group.last_seen ? report.received_at : group.last_seen;
  return { ...group, versions, last_seen };
};

/** Makes the group with a report from the group as it is, if there is one; null where there is nothing to write. */
export type Noting = (group: ErrorGroup | undefined) => ErrorGroup | null;

/** Notes a report in its group, which it makes where it is the first. */
export const notingReport =
  (report: ErrorReport, signature: { exception: string | null; frames: readonly string[] }): Noting =>
  (group) =>
    group ? withReport(group, report) : newGroup(report, signature);
