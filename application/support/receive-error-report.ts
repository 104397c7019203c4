import type { Permit } from '../../domain/access/permit.ts';
import { type Owner, ownerName } from '../../domain/access/rate-limit.ts';
import type { DailyBound } from '../../domain/shared/daily-bound.ts';
import { dayOf, type Instant, MINUTE_MS, millis } from '../../domain/shared/instant.ts';
import { ok } from '../../domain/shared/outcome.ts';
import {
  type Bound,
  type Noting,
  notingOverflow,
  notingReport,
  overflowText,
  reachedBound,
  uncountedNew,
} from '../../domain/support/error-group.ts';
import {
  ERROR_BYTES_OF_ADDRESS,
  ERROR_BYTES_OF_STORE,
  type ErrorDetails,
  type ErrorReport,
  isBeyondBytes,
  isCounted,
  newReport,
  reportBlockOf,
  reportSize,
  weightOf,
} from '../../domain/support/error-report.ts';
import { errorSignature, fingerprintOf, overflowFingerprintOf } from '../../domain/support/fingerprint.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadGroup } from '../../ports/outbound/support.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { Clearance } from '../shared/steps.ts';

/** The maximum number of groups per minute to remember. Reports of any further group are all counted. */
const REMEMBERED = 10_000;

/** The reports of each group that this process received in the clock minute. */
class RecentReports {
  #minute = 0;
  readonly #counts = new Map<string, number>();

  /** Counts a report, and returns its number among those of its group in the minute, from 1. */
  next(fingerprint: string, now: Instant): number {
    const minute = Math.floor(millis(now) / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts.clear();
    }
    const known = this.#counts.get(fingerprint);
    if (known === undefined && this.#counts.size >= REMEMBERED) return 1;
    const nth = (known ?? 0) + 1;
    this.#counts.set(fingerprint, nth);
    return nth;
  }
}

/** A report, the number of reports that it stands for, and whether it is stored. */
type WeighedReport = { readonly report: ErrorReport; readonly weight: number; readonly isKept: boolean };

/** The owner of the daily size that all senders share. */
const EVERYBODY = 'all';

/** The group of a report as read, and the number of the report among the counted ones. */
type NumberedGroup = { readonly read: ReadGroup; readonly number: number };

type Ports = Needs<'clock' | 'dailyBounds' | 'digest' | 'errorReports' | 'ids' | 'pauses'>;

/**
 * Receives an error report of an application: scrubs it, adds it to the group of the same error, and stores it. Once a
 * day has too many new groups, a report of a further new error goes to the overflow group. Reports of known groups are
 * not affected. Beyond the daily size of its sender, or of all senders, a report is counted in its group but not
 * stored, and a new error goes to the overflow group of all applications.
 *
 * In a flood of one error, a process counts and stores only a sample: each counted report then stands for those that
 * are skipped, which cost no call to the store. So the count is off by less than a hundred per minute and process, and
 * a flood does not wait for one counter.
 */
export const receiveErrorReport = ({ digest, ids, clock, errorReports, dailyBounds, pauses }: Ports) => {
  const recent = new RecentReports();
  /** The last UTC day on which this process saw the shared daily size used up. */
  let fullDay = '';

  const overflow = async (permit: Permit, { report, weight, isKept }: WeighedReport, bound: Bound) => {
    const over: ErrorReport = { ...report, fingerprint: overflowOf(bound, report) };
    const overWeight = weightIn(over);
    const [counted] = await Promise.all([
      overWeight === null ? null : countReport(permit, over, overWeight),
      errorReports.uncount(permit, report.fingerprint, weight, report.received_at),
    ]);
    if (!counted || overWeight === null) return receipt(over);
    await keep(permit, { report: over, weight: overWeight, isKept }, counted, notingOverflow(over, bound));
    return receipt(over);
  };

  /** The number of reports that a report stands for; null if another report of its group is counted in its place. */
  const weightIn = ({ fingerprint, received_at }: ErrorReport): number | null => {
    const nth = recent.next(fingerprint, received_at);
    const block = `${fingerprint} ${received_at.slice(0, 16)} ${reportBlockOf(nth)}`;
    return isCounted(nth, digest.sha256(block)) ? weightOf(nth) : null;
  };

  /** Null if the store is too busy to count the group's reports at the moment. */
  const countReport = async (
    permit: Permit,
    { fingerprint, received_at }: ErrorReport,
    weight: number,
  ): Promise<NumberedGroup | null> => {
    const [read, sum] = await Promise.all([
      errorReports.readGroup(fingerprint, received_at),
      errorReports.count(permit, fingerprint, weight, received_at),
    ]);
    return sum === null ? null : { read, number: Math.floor(sum / weight) };
  };

  /**
   * Counts the size of a report, and returns whether it is stored. A sender beyond its own bound does not use up the
   * shared one. Once the shared one is used up, this process skips the check for the rest of the day.
   */
  const countBytes = async (permit: Permit, report: ErrorReport, sender: string): Promise<boolean> => {
    const day = dayOf(report.received_at);
    if (day === fullDay) return false;
    const size = reportSize(report);
    const count = (bound: DailyBound, owner: string, by: number) =>
      dailyBounds.count(permit, bound, owner, by, report.received_at);
    const [ofAddress, ofStore] = await Promise.all([
      count(ERROR_BYTES_OF_ADDRESS, sender, size),
      count(ERROR_BYTES_OF_STORE, EVERYBODY, size),
    ]);
    if (ofStore > ERROR_BYTES_OF_STORE.most) fullDay = day;
    const isKept = !isBeyondBytes({ ofAddress, ofStore });
    if (!isKept) await count(ERROR_BYTES_OF_STORE, EVERYBODY, -size);
    return isKept;
  };

  /** Counts a new group, and returns the bound that the group exceeds, or null. */
  const countNew = async (permit: Permit, report: ErrorReport): Promise<Bound | null> => {
    const [ofApp, ofStore] = await Promise.all([addNew(permit, 'app', report, 1), addNew(permit, 'store', report, 1)]);
    return reachedBound({ ofApp, ofStore });
  };

  const uncountNew = async (permit: Permit, report: ErrorReport, bounds: readonly Bound[]): Promise<void> => {
    await Promise.all(bounds.map((bound) => addNew(permit, bound, report, -1)));
  };

  const addNew = (permit: Permit, bound: Bound, report: ErrorReport, by: 1 | -1): Promise<number> =>
    errorReports.countNewGroup(permit, overflowOf(bound, report), by, report.received_at);

  const overflowOf = (bound: Bound, { app_bundle_id }: ErrorReport): string =>
    overflowFingerprintOf(digest.sha256(overflowText(bound, app_bundle_id)));

  /**
   * Adds the report to its group, and stores it unless it exceeds the day's size. True if this call created the group.
   */
  const keep = async (
    permit: Permit,
    received: WeighedReport,
    { read, number }: NumberedGroup,
    noting: Noting,
  ): Promise<boolean> => {
    const { report, isKept } = received;
    const again = () => errorReports.readGroup(report.fingerprint, report.received_at);
    const noted = rereading(pauses, read, again, async (known) => {
      const group = noting(known.group);
      if (group === null) return false;
      return (await errorReports.saveGroup(permit, group, known)) ? known.group === undefined : CONFLICT;
    });
    const [made] = await Promise.all([noted, isKept && errorReports.keep(permit, report, number)]);
    return made;
  };

  return async function receiveErrorReport({ body: details, owner }: { body: ErrorDetails; owner: Owner }) {
    // The signature uses the unscrubbed details, because scrubbing mistakes some function names for secrets. It
    // contains no secrets.
    const signature = errorSignature(details);
    const fingerprint = fingerprintOf(digest.sha256(signature.text));
    const report = newReport(details, { id: ids.next(), fingerprint, received_at: clock.now() });
    return async ({ permit }: Clearance) => {
      const weight = weightIn(report);
      if (weight === null) return receipt(report);
      const [counted, isKept] = await Promise.all([
        countReport(permit, report, weight),
        countBytes(permit, report, ownerName(owner)),
      ]);
      if (!counted) return receipt(report);
      const received: WeighedReport = { report, weight, isKept };
      const isNew = counted.read.group === undefined;
      if (isNew && !isKept) return overflow(permit, received, 'store');
      const bound = isNew ? await countNew(permit, report) : null;
      if (bound !== null) {
        await uncountNew(permit, report, uncountedNew(bound));
        return overflow(permit, received, bound);
      }
      const made = await keep(permit, received, counted, notingReport(report, signature));
      if (isNew) await uncountNew(permit, report, uncountedNew(made ? 'made' : 'made_by_another'));
      return receipt(report);
    };
  };
};

const receipt = ({ id, fingerprint, received_at }: ErrorReport) =>
  ok({ report: { id, group: fingerprint, received_at } });
