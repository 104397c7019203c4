import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { inOrder, isBehind, type ListOrder } from '../../domain/shared/paging.ts';
import { plainName } from '../../domain/shared/plain-text.ts';
import { type ErrorGroup, seenWith } from '../../domain/support/error-group.ts';
import type { ErrorReport } from '../../domain/support/error-report.ts';
import { isFingerprint } from '../../domain/support/fingerprint.ts';
import {
  type JoinedReport,
  lastWritten,
  placeIn,
  type Ticket,
  type TicketAnswer,
  type TicketFile,
  type TicketOrder,
  ticketNumber,
  typedTicketNumber,
  waitsSince,
} from '../../domain/support/ticket.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { emailsOf } from '../accounts/accounts.ts';

export type ReportInput = {
  readonly kind: 'error' | 'support' | null;
  /** Only tickets with this status. Errors have no status, so any status excludes them. */
  readonly status: Ticket['status'] | null;
  /** Bundle id of the application. */
  readonly app: string | null;
  /** Only errors and tickets reported at this moment or later. */
  readonly since: Instant | null;
  /** `waiting`: only open tickets, first those whose buyers wait, the longest first. By default the newest first. */
  readonly sort?: TicketOrder | null;
  /** The maximum number of entries. */
  readonly limit: number;
  /** The key of the entry after which the list starts. */
  readonly after?: string | null;
};

export type ListedReport = {
  readonly kind: 'error' | 'support';
  /** Fingerprint of the error group, or id of the ticket. */
  readonly id: string;
  readonly app_bundle_id: string | null;
  /** The product that the buyer selected, or that has the bundle id; null if there is none. */
  readonly product_id: number | null;
  /** `crash`, `refund_request` and so on; `withdrawal` for a ticket by which its buyer withdrew from an order. */
  readonly type: string;
  readonly title: string;
  readonly status: Ticket['status'] | null;
  /** The number and the account of a ticket, and since when its buyer waits for an answer. */
  readonly number?: string;
  readonly account_id?: number;
  /** The address of the ticket's buyer; null if the account was erased. */
  readonly account_email?: string | null;
  readonly waits_since?: Instant | null;
  /** The application's versions that reported the error. */
  readonly versions?: readonly string[];
  readonly first_seen: Instant;
  /** The moment of the last error report, of the ticket's opening, or of its buyer's last reply. */
  readonly last_seen: Instant;
  readonly reports: number;
};

type UncountedReport = Omit<ListedReport, 'account_email' | 'product_id' | 'reports'> & { product_id?: number };

/** The orders of the list, which for tickets are those of the store's lists (`placesOf`). */
export const REPORTS: Readonly<Record<TicketOrder, ListOrder<UncountedReport | ListedReport>>> = {
  newest: {
    place: ({ last_seen: written, id }) => placeIn('newest', { waits: null, written, id }),
    highestFirst: true,
  },
  waiting: {
    place: ({ waits_since: waits = null, last_seen: written, id }) => placeIn('waiting', { waits, written, id }),
  },
};

const ofGroup = (group: ErrorGroup): UncountedReport => ({
  kind: 'error',
  id: group.fingerprint,
  app_bundle_id: group.app_bundle_id,
  type: group.error_type,
  title: group.title,
  status: null,
  versions: group.versions,
  first_seen: group.first_seen,
  last_seen: group.last_seen,
});

const ofTicket = (ticket: Ticket): UncountedReport => ({
  kind: 'support',
  id: String(ticket.id),
  app_bundle_id: ticket.app_bundle_id,
  type: ticket.withdrawal ? 'withdrawal' : ticket.kind,
  title: plainName(ticket.summary) ?? '',
  status: ticket.status,
  number: ticketNumber(ticket),
  account_id: ticket.account_id,
  waits_since: ticket.status === 'open' ? waitsSince(ticket) : null,
  first_seen: ticket.created_at,
  last_seen: lastWritten(ticket),
  ...(ticket.product_id !== undefined && { product_id: ticket.product_id }),
});

/** The product that a report is about. */
const productOf = (
  { product_id, app_bundle_id }: { readonly product_id?: number; readonly app_bundle_id: string | null },
  byBundleId: Catalog['productsByBundleId'],
): number | null => product_id ?? byBundleId.get(app_bundle_id ?? '')?.id ?? null;

/** The number of entries held in addition to the newest ones before they are sorted. */
const HELD = 5000;

type ListPorts = Needs<'accounts' | 'catalogs' | 'clock' | 'errorReports' | 'tickets'>;

/**
 * The error groups and tickets that match the filter, newest first, each with its number of reports, its buyer and its
 * product. While the shop's lists lack tickets of an older store, every ticket is read.
 */
export const listReports = ({ accounts, catalogs, clock, errorReports, tickets }: ListPorts) => {
  async function* all(input: ReportInput, passes: (one: UncountedReport) => boolean, now: Instant) {
    const { kind, status, sort, since, after = null, limit } = input;
    const waiting = status === 'closed' ? [] : (['waiting'] as const);
    const ofStatus = status === null ? (['open', 'closed'] as const) : [status];
    if (kind !== 'support' && sort !== 'waiting') for await (const one of errorReports.groups(now)) yield ofGroup(one);
    if (kind === 'error') return;
    const lists = sort === 'waiting' ? waiting : ofStatus;
    const wanted = { lists, since, after, limit, passes: (ticket: Ticket) => passes(ofTicket(ticket)) };
    for await (const ticket of (await tickets.listed(wanted)) ?? tickets.list()) yield ofTicket(ticket);
  }

  const countsOf = async (onPage: readonly UncountedReport[], now: Instant): Promise<Map<UncountedReport, number>> => {
    const errors = onPage.filter(({ kind }) => kind === 'error');
    const opened = onPage.filter(({ kind }) => kind === 'support');
    const [ofErrors, ofTickets] = await Promise.all([
      errorReports.counts(
        errors.map(({ id }) => id),
        now,
      ),
      tickets.counts(opened.map(({ id }) => Number(id))),
    ]);
    return new Map([
      ...errors.map((one, n) => [one, ofErrors[n] as number] as const),
      ...opened.map((one, n) => [one, ofTickets[n] as number] as const),
    ]);
  };

  return async function listReports(input: ReportInput): Promise<ListedReport[]> {
    const now = clock.now();
    const order = REPORTS[input.sort ?? 'newest'];
    const isWanted = (one: UncountedReport): boolean =>
      (input.app === null || one.app_bundle_id === input.app) &&
      (input.since === null || one.last_seen >= input.since) &&
      (input.status === null || one.status === input.status) &&
      (input.sort !== 'waiting' || one.status === 'open') &&
      isBehind(one, input.after ?? null, order);
    let found: UncountedReport[] = [];
    for await (const one of all(input, isWanted, now)) {
      if (isWanted(one)) found.push(one);
      if (found.length > HELD + input.limit) found = inOrder(found, order).slice(0, input.limit);
    }
    const onPage = inOrder(found, order).slice(0, input.limit);
    const [counts, emailOf, { productsByBundleId }] = await Promise.all([
      countsOf(onPage, now),
      emailsOf(
        accounts,
        onPage.flatMap(({ account_id }) => account_id ?? []),
      ),
      catalogs.current(),
    ]);
    return onPage.map((one) => ({
      ...one,
      ...(one.account_id !== undefined && { account_email: emailOf(one.account_id) }),
      product_id: productOf(one, productsByBundleId),
      reports: counts.get(one) ?? 0,
    }));
  };
};

export type ShownReport =
  | {
      readonly kind: 'error';
      readonly group: ErrorGroup;
      readonly count: number;
      /** The stored reports, newest first. */
      readonly reports: readonly ErrorReport[];
    }
  | {
      readonly kind: 'support';
      /** The number by which the buyer knows the ticket. */
      readonly number: string;
      readonly ticket: Ticket;
      /** Null if the account was erased. */
      readonly account_email: string | null;
      /** The product that it is about, as in the list. */
      readonly product_id: number | null;
      readonly count: number;
      readonly files: readonly TicketFile[];
      /** In the order in which they were given. */
      readonly answers: readonly TicketAnswer[];
      /** The newest reports that joined the ticket, newest first. */
      readonly joined: readonly JoinedReport[];
    };

/**
 * Everything stored about a report: an error group by its fingerprint, a ticket by its id, or one error report by the
 * id that its sender received. The search for that id reads every stored error report.
 */
export const showReport = ({ accounts, catalogs, clock, errorReports, tickets }: ListPorts) => {
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
      const onPage = await errors(fingerprint, now);
      if (onPage?.kind !== 'error') continue;
      const reports = onPage.reports.filter((report) => report.id === id);
      if (reports.length > 0) return { ...onPage, reports };
    }
    return undefined;
  };

  const ticketOf = async (id: number): Promise<ShownReport | undefined> => {
    const ticket = await tickets.get(id);
    if (!ticket) return undefined;
    const number = ticketNumber(ticket);
    const [[count = 0], files, joined, answers, account, { productsByBundleId }] = await Promise.all([
      tickets.counts([id]),
      tickets.files(id),
      tickets.joined(id),
      tickets.answers(id),
      accounts.get(ticket.account_id),
      catalogs.current(),
    ]);
    const product_id = productOf(ticket, productsByBundleId);
    const account_email = account?.email ?? null;
    return { kind: 'support', number, ticket, account_email, product_id, count, files, joined, answers };
  };

  /** A ticket of the previous version has a number that the store does not keep, so all tickets are read. */
  const formerlyNumbered = async (number: string): Promise<number | undefined> => {
    for await (const ticket of tickets.list()) if (ticketNumber(ticket) === number) return ticket.id;
    return undefined;
  };

  return async function showReport(id: string): Promise<Outcome<ShownReport, 'not_found'>> {
    const now = clock.now();
    const typed = typedTicketNumber(id);
    if (typed !== undefined) {
      const found = await ticketOf((await tickets.numbered(typed)) ?? (await formerlyNumbered(typed)) ?? 0);
      return found ? ok(found) : refuse('not_found', { message: `No ticket has the number ${typed}.` });
    }
    const report = isFingerprint(id)
      ? await errors(id, now)
      : ((await ticketOf(Number(id))) ?? (await error(Number(id), now)));
    return report ? ok(report) : refuse('not_found', { message: `No report has the id ${id}.` });
  };
};
