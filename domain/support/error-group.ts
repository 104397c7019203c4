import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';
import type { ErrorReport, ErrorType } from './error-report.ts';
import { scrubText } from './scrub-text.ts';

/** Errors that are one and the same, as far as their fingerprint tells. */
export type ErrorGroup = {
  readonly fingerprint: string;
  readonly app_bundle_id: string;
  readonly error_type: ErrorType;
  readonly exception: string | null;
  /** First line of the first report's message. */
  readonly title: string;
  /** What its fingerprint was made of beside type and exception. */
  readonly frames: readonly string[];
  readonly first_seen: Instant;
  /** Exact to the minute: while reports come in a flood, it is written once a minute. */
  readonly last_seen: Instant;
  /** Versions of the application that reported it, the newest to do so last. */
  readonly versions: readonly string[];
};

const MAX_TITLE = 200;
const MAX_VERSIONS = 20;

const titleOf = (message: string): string => (message.trim().split(/[\r\n]/, 1)[0] as string).slice(0, MAX_TITLE);

/** The group that a report is the first of. */
export const newGroup = (
  report: ErrorReport,
  { exception, frames }: { exception: string | null; frames: readonly string[] },
): ErrorGroup => ({
  fingerprint: report.fingerprint,
  app_bundle_id: report.app_bundle_id,
  error_type: report.error_type,
  exception: exception === null ? null : scrubText(exception),
  title: titleOf(report.error_message),
  frames: frames.map(scrubText),
  first_seen: report.received_at,
  last_seen: report.received_at,
  versions: [report.app_version],
});

/** The group as it was last seen by those of its reports that are kept, which may have come since it was written. */
export const seenWith = (group: ErrorGroup, reports: readonly ErrorReport[]): ErrorGroup => {
  const last_seen = reports.reduce(
    (latest, { received_at }) => (received_at > latest ? received_at : latest),
    group.last_seen,
  );
  return { ...group, last_seen };
};

/** The group with a further report, or null where that would change nothing worth writing. */
export const withReport = (group: ErrorGroup, report: ErrorReport): ErrorGroup | null => {
  const isKnown = group.versions.includes(report.app_version);
  if (isKnown && millis(report.received_at) - millis(group.last_seen) < MINUTE_MS) return null;
  const versions = isKnown ? group.versions : [...group.versions, report.app_version].slice(-MAX_VERSIONS);
  const last_seen = report.received_at > group.last_seen ? report.received_at : group.last_seen;
  return { ...group, versions, last_seen };
};
