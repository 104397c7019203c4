import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';
import type { ErrorReport, ErrorType } from './error-report.ts';
import { scrubText } from './scrub.ts';

/** The errors with one fingerprint, which count as the same error. */
export type ErrorGroup = {
  readonly fingerprint: string;
  readonly app_bundle_id: string;
  readonly error_type: ErrorType;
  readonly exception: string | null;
  /** The first line of the first report's message. */
  readonly title: string;
  /** The frames in the fingerprint, in addition to type and exception. */
  readonly frames: readonly string[];
  readonly first_seen: Instant;
  /** Accurate to the minute, because it is written at most once a minute. */
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

/** The group with a `last_seen` that includes the stored reports, which may be newer than the group. */
export const seenWith = (group: ErrorGroup, reports: readonly ErrorReport[]): ErrorGroup => {
  const last_seen = reports.reduce(
    (latest, { received_at }) => (received_at > latest ? received_at : latest),
    group.last_seen,
  );
  return { ...group, last_seen };
};

/** The group with a further report; null if the version is known and `last_seen` is less than a minute old. */
export const withReport = (group: ErrorGroup, report: ErrorReport): ErrorGroup | null => {
  const isKnown = group.versions.includes(report.app_version);
  if (isKnown && millis(report.received_at) - millis(group.last_seen) < MINUTE_MS) return null;
  const versions = isKnown ? group.versions : [...group.versions, report.app_version].slice(-MAX_VERSIONS);
  const last_seen = report.received_at > group.last_seen ? report.received_at : group.last_seen;
  return { ...group, versions, last_seen };
};

/** Updates the group with a report, or creates it; null if nothing needs to be written. */
export type Noting = (group: ErrorGroup | undefined) => ErrorGroup | null;

/** Adds a report to its group, and creates the group for the first report. */
export const notingReport =
  (report: ErrorReport, signature: { exception: string | null; frames: readonly string[] }): Noting =>
  (group) =>
    group ? withReport(group, report) : newGroup(report, signature);

/**
 * The maximum number of new groups of one application in a day (UTC). The limit is needed because a reporter needs no
 * key and chooses the values that make a group. A release that fails everywhere has some hundreds of errors, so the
 * limit hides none.
 */
export const NEW_GROUPS_OF_APP = 1000;

/**
 * The maximum number of new groups of all applications in a day (UTC), because a reporter also chooses the bundle id:
 * as many as ten applications may have. Their size counts toward that of reports (`ERROR_BYTES_OF_STORE`).
 */
export const NEW_GROUPS_OF_STORE = 10_000;

/** The number of new groups today (UTC), including this one. */
export type NewGroups = { readonly ofApp: number; readonly ofStore: number };

/** The scope of a limit: one application, or the whole store. */
export type Bound = 'app' | 'store';

/** The limit that a new group would exceed; null if it exceeds none. */
export const reachedBound = ({ ofApp, ofStore }: NewGroups): Bound | null =>
  ofApp > NEW_GROUPS_OF_APP ? 'app' : ofStore > NEW_GROUPS_OF_STORE ? 'store' : null;

/** The bundle id of a group of all applications. */
const EVERY_APP = '*';

/** The text whose SHA-256 becomes the fingerprint of an overflow group (`overflowFingerprintOf`). */
export const overflowText = (bound: Bound, appBundleId: string): string =>
  JSON.stringify(bound === 'app' ? ['overflow', appBundleId] : ['overflow']);

const TITLES: Readonly<Record<Bound, string>> = {
  app: `Not told apart: this application had more than ${NEW_GROUPS_OF_APP} new errors in a day`,
  store: `Not told apart: all applications together had more than ${NEW_GROUPS_OF_STORE} new errors in a day, or more bytes than are kept`,
};

/**
 * The overflow group of its first report: it takes the reports whose own group would exceed a limit. Each application
 * at its limit has one, and all others share one, so that invented bundle ids can't create endless groups.
 */
export const overflowGroup = (report: ErrorReport, bound: Bound): ErrorGroup => ({
  fingerprint: report.fingerprint,
  app_bundle_id: bound === 'app' ? report.app_bundle_id : EVERY_APP,
  error_type: 'warning',
  exception: null,
  title: TITLES[bound],
  frames: [],
  first_seen: report.received_at,
  last_seen: report.received_at,
  versions: [],
});

/**
 * The overflow group with a further report; null if `last_seen` is less than a minute old. The group lists no versions,
 * because each report of a flood could contain another one and cause another write.
 */
export const withOverflow = (group: ErrorGroup, received_at: Instant): ErrorGroup | null =>
  millis(received_at) - millis(group.last_seen) < MINUTE_MS ? null : { ...group, last_seen: received_at };

/** Adds a report to the overflow group of a limit, and creates the group for the first report. */
export const notingOverflow =
  (report: ErrorReport, bound: Bound): Noting =>
  (group) =>
    group ? withOverflow(group, report.received_at) : overflowGroup(report, bound);

/**
 * The counts of new groups from which a report is subtracted again, by its result: a report over the limit of its
 * application does not count for the store, and one whose group was created by another report is counted once, with
 * that.
 */
export const uncountedNew = (became: 'made' | 'made_by_another' | Bound): readonly Bound[] =>
  became === 'made_by_another' ? ['app', 'store'] : became === 'app' ? ['store'] : [];
