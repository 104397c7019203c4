import type { Permit } from '../../domain/access/permit.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import { dailyBoundReached } from '../../domain/shared/daily-bound.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Language } from '../../domain/shared/language.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import {
  FILES_KEPT,
  isJoined,
  joinedReport,
  newTicket,
  reportIdentity,
  type SupportReport,
  TICKETS_A_DAY,
  type Ticket,
  ticketFile,
  ticketView,
} from '../../domain/support/ticket.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadOpening } from '../../ports/outbound/support.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { ReceivedFile } from '../shared/files.ts';
import type { Clearance } from '../shared/steps.ts';
import { KeptFiles, withinDay } from './kept-files.ts';

export type ReceiveSupportReportInput = {
  account_id: number;
  body: SupportReport;
  files: { readonly bundle: ReceivedFile | null };
  /** The language of the page on which a person wrote it. The confirmation uses the same language. */
  confirms?: Language;
};

/** The account was erased while the report was in progress, so its key is unknown by now. */
const ERASED = refuse('invalid_api_key');

type Ports = Needs<'clock' | 'dailyBounds' | 'ids' | 'objects' | 'pauses' | 'tickets'>;

/**
 * Receives a buyer's report, with or without a file. The first report opens a ticket, and the same report within 24
 * hours joins it. Of concurrent reports, exactly one opens the ticket. An account may open 50 tickets in a day; further
 * reports are refused, unless they join a ticket. A report of an account that is erased meanwhile leaves neither text
 * nor file.
 */
export const receiveSupportReport = ({ tickets, dailyBounds, ids, pauses, clock, objects }: Ports) => {
  const join = async (permit: Permit, ticket_id: number, report: SupportReport, attached: KeptFiles, now: Instant) => {
    const [found, number] = await Promise.all([tickets.get(ticket_id), tickets.join(permit, ticket_id, now)]);
    // A repeated report reopens a closed ticket, because nobody looks at closed tickets.
    const ticket: Ticket | undefined =
      found?.status === 'closed' ? await tickets.mark(permit, ticket_id, 'open') : found;
    if (!ticket) throw new Error(`The ticket ${ticket_id} was opened but is missing.`);
    const file = number <= FILES_KEPT ? await attached.keep((received) => ticketFile(received, number, now)) : null;
    const joined = joinedReport(report, number, now);
    if (!(await tickets.keepJoined(permit, ticket, joined, file ?? undefined))) return ERASED;
    return ok({ ticket: ticketView(ticket, number, file), deduplicated: true });
  };

  return async function receiveSupportReport(input: ReceiveSupportReportInput) {
    const { account_id, body: report, files, confirms: locale } = input;
    const identity = reportIdentity(report);
    const read = () => tickets.opening(account_id, identity);
    const owner = String(account_id);
    const [first, isReached] = await Promise.all([read(), dailyBounds.isReached(TICKETS_A_DAY, owner, clock.now())]);
    return async ({ permit }: Clearance) => {
      const joins = ({ opening }: ReadOpening) => opening !== undefined && isJoined(opening.opened_at, clock.now());
      if (isReached && !joins(first)) return dailyBoundReached(TICKETS_A_DAY, clock.now());
      const received = await withinDay({ tickets, clock }, permit, account_id, files.bundle);
      const attached = new KeptFiles(objects, permit, received);
      const result = await rereading(pauses, first, read, async (found) => {
        const now = clock.now();
        const { opening } = found;
        if (opening && isJoined(opening.opened_at, now)) {
          return join(permit, opening.ticket_id, report, attached, now);
        }
        const ticket = newTicket(report, { id: ids.next(), account_id }, now);
        const file = await attached.keep((received) => ticketFile(received, 1, now));
        const count = (by: 1 | -1) => dailyBounds.count(permit, TICKETS_A_DAY, owner, by, now);
        const [opened] = await Promise.all([
          tickets.open(
            permit,
            ticket,
            identity,
            found,
            file ?? undefined,
            locale ? [{ ...messageAbout('ticket', { account_id, id: ticket.id }), locale }] : [],
          ),
          count(1),
        ]);
        if (opened === 'opened') return ok({ ticket: ticketView(ticket, 1, file), deduplicated: false });
        await count(-1);
        return opened === 'changed' ? CONFLICT : ERASED;
      });
      if (result === ERASED) await attached.removeMade();
      return result;
    };
  };
};
