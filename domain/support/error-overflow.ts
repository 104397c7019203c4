import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';
import type { ErrorGroup } from './error-group.ts';
import type { ErrorReport } from './error-report.ts';

/**
 * New groups of one application in a day (UTC). Whoever reports chooses what makes a group, and needs no key for it. A
 * release that fails everywhere has some hundreds of errors; nobody reads through more that are new in one day.
 */
export const NEW_GROUPS_OF_APP = 1000;

/**
 * New groups of all applications in a day (UTC), for bundle ids are the sender's choice as well: as many as ten
 * applications may have. With reports of 80 KB they begin with 800 MB at most.
 */
export const NEW_GROUPS_OF_STORE = 10_000;

/** How many groups were new today, this one among them. */
export type NewGroups = { readonly ofApp: number; readonly ofStore: number };

/** Whose bound is reached. */
export type Bound = 'app' | 'store';

/** The bound that keeps a new group from being made, null where none does. */
export const reachedBound = ({ ofApp, ofStore }: NewGroups): Bound | null =>
  ofApp > NEW_GROUPS_OF_APP ? 'app' : ofStore > NEW_GROUPS_OF_STORE ? 'store' : null;

/** In place of a bundle id, where a group is of all applications. */
const EVERY_APP = '*';

/** What is bounded, as text for the fingerprint of its overflow group. */
export const overflowText = (bound: Bound, appBundleId: string): string =>
  JSON.stringify(bound === 'app' ? ['overflow', appBundleId] : ['overflow']);

const TITLES: Readonly<Record<Bound, string>> = {
  app: `Not told apart: this application had more than ${NEW_GROUPS_OF_APP} new errors in a day`,
  store: `Not told apart: all applications together had more than ${NEW_GROUPS_OF_STORE} new errors in a day`,
};

/**
 * The group of what is over a bound, which the report is the first of. There is one for each application that had as
 * many groups as it may, and one for all the others, so that unknown bundle ids don't make groups without end either.
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
 * The overflow group with a further report, or null where that would change nothing worth writing. It names no versions:
 * in a flood each may be another, and all would write the one group.
 */
export const withOverflow = (group: ErrorGroup, received_at: Instant): ErrorGroup | null =>
  millis(received_at) - millis(group.last_seen) < MINUTE_MS ? null : { ...group, last_seen: received_at };
