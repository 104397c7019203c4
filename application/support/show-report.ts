import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { type ErrorGroup, seenWith } from '../../domain/support/error-group.ts';
import type { ErrorReport } from '../../domain/support/error-report.ts';
import { isFingerprint } from '../../domain/support/fingerprint.ts';
import type { JoinedReport, Ticket, TicketFile } from '../../domain/support/ticket.ts';
import type { TicketAnswer } from '../../domain/support/ticket-answer.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'accounts' | 'clock' | 'errorReports' | 'tickets'>;

export type ShownReport =
  | {
      readonly kind: 'error';
      readonly group: ErrorGroup;
      readonly count: number;
      /** The kept reports, newest first. */
      readonly reports: readonly ErrorReport[];
    }
  | {
      readonly kind: 'support';
      readonly ticket: Ticket;
      /** Null where the account is gone. */
      readonly account_email: string | null;
      /** The number of reports. */
      readonly count: number;
      readonly files: readonly TicketFile[];
      /** In the order in which they were given. */
      readonly answers: readonly TicketAnswer[];
      /** The newest reports that joined the ticket, newest first. */
      readonly joined: readonly JoinedReport[];
    };

/**
 * Everything that is kept of a report: an error group by its fingerprint, a ticket by its id, or one error report by
 * the id that its sender received. The search for that id reads every kept error report.
 */
export const showReport = ({ clock, errorReports, accounts, tickets }: Ports) => {
  const errors = async (fingerprint: string, now: Instant): Promise<ShownReport | undefined> => {
    const { group } = await errorReports.readGroup(fingerprint, now);
    if (!group) return undefined;
    const [[count = 0], reports] = await Promise.all([
      errorReports.counts([fingerprint], now),
      errorReports.reports(fingerprint, now),
    ]);
    return { kind: 'error', group: seenWith(group, reports), count, reports };
  };

  const error = async (id: number, now: Instant): Promise<ShownReport | undefined> => {
    for await (const { fingerprint } of errorReports.groups(now)) {
      const shown = await errors(fingerprint, now);
      if (shown?.kind !== 'error') continue;
      const reports = shown.reports.filter((report) => report.id === id);
      if (reports.length > 0) return { ...shown, reports };
    }
    return undefined;
  };

  const ticketOf = async (id: number): Promise<ShownReport | undefined> => {
    const ticket = await tickets.get(id);
    if (!ticket) return undefined;
    const [[count = 0], files, joined, answers, account] = await Promise.all([
      tickets.counts([id]),
      tickets.files(id),
      tickets.joined(id),
      tickets.answers(id),
      accounts.get(ticket.account_id),
    ]);
    return { kind: 'support', ticket, account_email: account?.email ?? null, count, files, joined, answers };
  };

  return async (id: string): Promise<Outcome<ShownReport, 'not_found'>> => {
    const now = clock.now();
    const shown = isFingerprint(id)
      ? await errors(id, now)
      : ((await ticketOf(Number(id))) ?? (await error(Number(id), now)));
    return shown ? ok(shown) : refuse('not_found', { message: `No report has the id ${id}.` });
  };
};

export type ShowReport = ReturnType<typeof showReport>;
