import { type ErrorGroup, newGroup, withReport } from '../../domain/support/error-group.ts';
import {
  type Bound,
  overflowGroup,
  overflowText,
  reachedBound,
  withOverflow,
} from '../../domain/support/error-overflow.ts';
import { type ErrorDetails, type ErrorReport, scrubbed } from '../../domain/support/error-report.ts';
import { errorSignature, fingerprintOf, overflowFingerprintOf } from '../../domain/support/fingerprint.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Digest } from '../../ports/outbound/digest.ts';
import type { ErrorReports, ReadGroup } from '../../ports/outbound/error-reports.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { Admission } from '../shared/admission.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { errorReports: ErrorReports; digest: Digest; ids: Ids; clock: Clock; pauses: Pauses };

/** A report's group as it was read, and which report of the group it is. */
type Counted = { readonly read: ReadGroup; readonly number: number };

/** The group with the report, or null where there is nothing to write. */
type Noted = (group: ErrorGroup | undefined) => ErrorGroup | null;

/**
 * Takes in an error that an application tells of: scrubs it, groups it with its like, and keeps it. Where too many groups
 * are new on one day, a report of one more goes to the overflow group; those of known groups go on as ever.
 */
export class ReceiveErrorReport {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ details, admitted }: { details: ErrorDetails; admitted: Admission }) {
    const { digest, ids, clock } = this.#ports;
    // Made from what came, for it shows nothing of that: scrubbing would take some names of functions for more.
    const signature = errorSignature(details);
    const received_at = clock.now();
    const report: ErrorReport = {
      ...scrubbed(details),
      id: ids.next(),
      fingerprint: fingerprintOf(digest.sha256(signature.text)),
      received_at,
    };
    await admitted;
    const counted = await this.#count(report);
    const isNew = counted.read.group === undefined;
    const bound = isNew ? await this.#countNew(report) : null;
    if (bound !== null) return this.#overflow(report, bound);
    const noted: Noted = (group) => (group ? withReport(group, report) : newGroup(report, signature));
    const made = await this.#keep(report, counted, noted);
    // Another report made the group meanwhile, and it is to count once.
    if (isNew && !made) await Promise.all([this.#addNew('app', report, -1), this.#addNew('store', report, -1)]);
    return this.#receipt(report);
  }

  async #overflow(report: ErrorReport, bound: Bound) {
    const over: ErrorReport = { ...report, fingerprint: this.#overflowOf(bound, report) };
    const [counted] = await Promise.all([
      this.#count(over),
      this.#ports.errorReports.uncount(report.fingerprint, report.received_at),
      // What an application may not have takes nothing from the others.
      bound === 'app' ? this.#addNew('store', report, -1) : undefined,
    ]);
    await this.#keep(over, counted, (group) =>
      group ? withOverflow(group, over.received_at) : overflowGroup(over, bound),
    );
    return this.#receipt(over);
  }

  #receipt({ id, fingerprint, received_at }: ErrorReport) {
    return { report: { id, group: fingerprint, received_at } };
  }

  async #count({ fingerprint, received_at }: ErrorReport): Promise<Counted> {
    const { errorReports } = this.#ports;
    const [read, number] = await Promise.all([
      errorReports.readGroup(fingerprint, received_at),
      errorReports.count(fingerprint, received_at),
    ]);
    return { read, number };
  }

  /** Counts a group that is to be made. */
  async #countNew(report: ErrorReport): Promise<Bound | null> {
    const [ofApp, ofStore] = await Promise.all([this.#addNew('app', report, 1), this.#addNew('store', report, 1)]);
    return reachedBound({ ofApp, ofStore });
  }

  #addNew(bound: Bound, report: ErrorReport, by: 1 | -1): Promise<number> {
    return this.#ports.errorReports.countNewGroup(this.#overflowOf(bound, report), by, report.received_at);
  }

  #overflowOf(bound: Bound, { app_bundle_id }: ErrorReport): string {
    return overflowFingerprintOf(this.#ports.digest.sha256(overflowText(bound, app_bundle_id)));
  }

  /** Keeps the report and notes it in its group. True where it made the group. */
  async #keep(report: ErrorReport, { read, number }: Counted, noted: Noted): Promise<boolean> {
    const [made] = await Promise.all([this.#note(read, report, noted), this.#ports.errorReports.keep(report, number)]);
    return made;
  }

  #note(first: ReadGroup, report: ErrorReport, noted: Noted): Promise<boolean> {
    const { errorReports, pauses } = this.#ports;
    let known: ReadGroup | undefined = first;
    return untilWritten(pauses, async () => {
      const read = known ?? (await errorReports.readGroup(report.fingerprint, report.received_at));
      known = undefined;
      const group = noted(read.group);
      if (group === null) return false;
      return (await errorReports.saveGroup(group, read)) ? read.group === undefined : CONFLICT;
    });
  }
}
