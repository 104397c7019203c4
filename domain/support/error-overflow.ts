import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';
import type { ErrorGroup, Noting } from './error-group.ts';
import type { ErrorReport } from './error-report.ts';

/**
 * The most new groups of one application in a day (UTC). The bound is needed because a reporter needs no key and
 * chooses the values that make a group. A release that fails everywhere has some hundreds of errors, so the bound hides
 * none.
 */
export const NEW_GROUPS_OF_APP = 1000;

/**
 * The most new groups of all applications in a day (UTC), because a reporter also chooses the bundle id: as many as ten
 * applications have. Their bytes are bounded beside the bytes of reports (`ERROR_BYTES_OF_STORE`).
 */
export const NEW_GROUPS_OF_STORE = 10_000;

/** The number of groups that were new today (UTC), including this one. */
export type NewGroups = { readonly ofApp: number; readonly ofStore: number };

/** A bound: of one application, or of the whole store. */
export type Bound = 'app' | 'store';

/** The bound that a new group would exceed; null where it exceeds none. */
export const reachedBound = ({ ofApp, ofStore }: NewGroups): Bound | null =>
  ofApp > NEW_GROUPS_OF_APP ? 'app' : ofStore > NEW_GROUPS_OF_STORE ? 'store' : null;

/** The bundle id of a group of all applications. */
const EVERY_APP = '*';

/** The text whose SHA-256 makes the fingerprint of an overflow group (`overflowFingerprintOf`). */
export const overflowText = (bound: Bound, appBundleId: string): string =>
  JSON.stringify(bound === 'app' ? ['overflow', appBundleId] : ['overflow']);

const TITLES: Readonly<Record<Bound, string>> = {
  app: `Not told apart: this application had more than ${NEW_GROUPS_OF_APP} new errors in a day`,
  store: `Not told apart: all applications together had more than ${NEW_GROUPS_OF_STORE} new errors in a day, or more bytes than are kept`,
};

/**
 * The overflow group of its first report: it takes the reports whose own group would exceed a bound. Each application
 * at its bound has one, and all others share one, so that made-up bundle ids don't make groups without end.
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
 * The overflow group with a further report; null where `last_seen` is less than a minute old. The group lists no
 * versions, because each report of a flood could name another one and write the group again.
 */
export const withOverflow = (group: ErrorGroup, received_at: Instant): ErrorGroup | null =>
  millis(received_at) - millis(group.last_seen) < MINUTE_MS ? null : { ...group, last_seen: received_at };

/** Notes a report in the overflow group of a bound, which it makes where it is the first. */
export const notingOverflow =
  (report: ErrorReport, bound: Bound): Noting =>
  (group) =>
    group ? withOverflow(group, report.received_at) : overflowGroup(report, bound);

/**
 * The counts of new groups that a report is taken out of again, by what became of it: one over a bound of its
 * application takes nothing from the others, and one whose group was made by another report counts once, with that.
 */
export const uncountedNew = (became: 'made' | 'made_by_another' | Bound): readonly Bound[] =>
  became === 'made_by_another' ? ['app', 'store'] : became === 'app' ? ['store'] : [];
