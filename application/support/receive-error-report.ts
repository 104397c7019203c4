import { type ErrorGroup, newGroup, withReport } from '../../domain/support/error-group.ts';
import { type ErrorDetails, type ErrorReport, scrubbed } from '../../domain/support/error-report.ts';
import { errorSignature, fingerprintOf } from '../../domain/support/fingerprint.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Digest } from '../../ports/outbound/digest.ts';
import type { ErrorReports, ReadGroup } from '../../ports/outbound/error-reports.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { Admission } from '../shared/admission.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { errorReports: ErrorReports; digest: Digest; ids: Ids; clock: Clock; pauses: Pauses };

/** Takes in an error that an application tells of: scrubs it, groups it with its like, and keeps it. */
export class ReceiveErrorReport {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ details, admitted }: { details: ErrorDetails; admitted: Admission }) {
    const { errorReports, digest, ids, clock } = this.#ports;
    // Made from what came, for it shows nothing of that: scrubbing would take some names of functions for more.
    const signature = errorSignature(details);
    const received_at = clock.now();
    const report: ErrorReport = {
      ...scrubbed(details),
      id: ids.next(),
      fingerprint: fingerprintOf(digest.sha256(signature.text)),
      received_at,
    };
    const { id, fingerprint } = report;
    await admitted;
    const [read, number] = await Promise.all([
      errorReports.readGroup(fingerprint, received_at),
      errorReports.count(fingerprint, received_at),
    ]);
    await Promise.all([
      errorReports.keep(report, number),
      this.#note(read, report, (group) => (group ? withReport(group, report) : newGroup(report, signature))),
    ]);
    return { report: { id, group: fingerprint, received_at } };
  }

  #note(first: ReadGroup, report: ErrorReport, noted: (group: ErrorGroup | undefined) => ErrorGroup | null) {
    const { errorReports, pauses } = this.#ports;
    let known: ReadGroup | undefined = first;
    return untilWritten(pauses, async () => {
      const read = known ?? (await errorReports.readGroup(report.fingerprint, report.received_at));
      known = undefined;
      const group = noted(read.group);
      return group === null || (await errorReports.saveGroup(group, read)) ? null : CONFLICT;
    });
  }
}
