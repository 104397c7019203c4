import type { Permit } from '../../domain/access/permit.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { ErrorGroup } from '../../domain/support/error-group.ts';
import type { ErrorReport } from '../../domain/support/error-report.ts';
import type { JoinedReport, Ticket, TicketAnswer, TicketFile, TicketList } from '../../domain/support/ticket.ts';

/** The opening of a ticket as read. An identical report joins that ticket. */
export type ReadOpening = {
  readonly opening: { readonly ticket_id: number; readonly opened_at: Instant } | undefined;
  readonly version: string | null;
};

/** `changed`: an identical report opened a ticket since the read. `erased`: the account was erased. */
export type OpeningEffect = 'opened' | 'changed' | 'erased';

/** `has_files`: reports or replies had files (see `files`). */
export type ListedTicket = Ticket & { readonly has_files?: true };

/** The tickets to list: of the lists of statuses, or of `waiting` alone. */
export type TicketsFilter = {
  readonly lists: readonly TicketList[];
  /** Only tickets whose buyers wrote at this moment or later, where the list is by that. */
  readonly since: Instant | null;
  /** The place up to which the page before went. */
  readonly after: string | null;
  readonly passes: (ticket: Ticket) => boolean;
  readonly limit: number;
};

export interface Tickets {
  /** The opening by the account's report with this identity (`reportIdentity`). */
  opening(account_id: number, identity: string): Promise<ReadOpening>;
  /** Opens a ticket with its file, if any, and messages, or returns why nothing was written. */
  open(
    permit: Permit,
    ticket: Ticket,
    identity: string,
    read: ReadOpening,
    file: TicketFile | undefined,
    messages?: NewMessages,
  ): Promise<OpeningEffect>;
  /** Counts a report that joins a ticket and returns its number, from 2, atomically. */
  join(permit: Permit, ticket_id: number, now: Instant): Promise<number>;
  /** Adds a file's bytes to the account's sum for the day of `now` (UTC) and returns the sum. */
  countFileBytes(permit: Permit, account_id: number, size: number, now: Instant): Promise<number>;
  /**
   * Stores the details of a report that joined a ticket, in place of the 20th before it, with its file, if any. Returns
   * false and writes nothing if the account was erased.
   */
  keepJoined(permit: Permit, ticket: Ticket, joined: JoinedReport, file: TicketFile | undefined): Promise<boolean>;

  get(ticket_id: number): Promise<Ticket | undefined>;
  /** The id of the ticket with this number (`ticketNumber`); undefined if there is none. */
  numbered(number: string): Promise<number | undefined>;
  /** Sets the ticket's status and returns the ticket; undefined if there is none. */
  mark(permit: Permit, ticket_id: number, status: Ticket['status']): Promise<Ticket | undefined>;
  /**
   * Stores an answer, or its buyer's reply with its file, if any, with messages, and counts it in its ticket
   * (`answeredTicket`). Returns false and writes nothing if the ticket already has an answer with this number, was
   * changed at the same moment, or is gone; for a reply, also if the account was erased.
   */
  answer(
    permit: Permit,
    ticket: Ticket,
    answer: TicketAnswer,
    file?: TicketFile,
    messages?: NewMessages,
  ): Promise<boolean>;
  /** The answers to a ticket from a number on, by ascending number. */
  answers(ticket_id: number, from?: number): Promise<TicketAnswer[]>;
  /**
   * At most `limit` tickets in the order of the lists (`placesOf`). Undefined while the lists lack tickets of an older
   * store.
   */
  listed(filter: TicketsFilter): Promise<readonly Ticket[] | undefined>;
  list(): AsyncIterable<Ticket>;
  /** The newest tickets of an account with an id below `before`; at most `limit`, newest first. */
  ofAccount(account_id: number, limit: number, before?: number): Promise<ListedTicket[]>;
  /** The number of reports of each ticket, in the order of `ticketIds`. */
  counts(ticketIds: readonly number[]): Promise<number[]>;
  /** The files of a ticket, by ascending number. */
  files(ticket_id: number): Promise<TicketFile[]>;
  /** The newest reports that joined a ticket; at most 20, newest first. */
  joined(ticket_id: number): Promise<JoinedReport[]>;
}

/** A group as read. `group` is undefined if there is none or it has expired. */
export type ReadGroup = { readonly group: ErrorGroup | undefined; readonly version: string | null };

export interface ErrorReports {
  readGroup(fingerprint: string, now: Instant): Promise<ReadGroup>;
  /** Writes the group. Returns false and writes nothing if it has changed since the read. */
  saveGroup(permit: Permit, group: ErrorGroup, read: ReadGroup): Promise<boolean>;
  /**
   * Adds `by` to the number of reports of a group and returns the sum, atomically. Null, without counting, if the group
   * is overloaded: this returns immediately.
   */
  count(permit: Permit, fingerprint: string, by: number, now: Instant): Promise<number | null>;
  /** Undoes a count, for a report whose group is not created. */
  uncount(permit: Permit, fingerprint: string, by: number, now: Instant): Promise<void>;
  /** Adds `by` to the number of a scope's new groups on the UTC day of `now` and returns the sum, atomically. */
  countNewGroup(permit: Permit, scope: string, by: 1 | -1, now: Instant): Promise<number>;
  /** Stores a report under its number, in place of the one `REPORTS_KEPT` numbers before. */
  keep(permit: Permit, report: ErrorReport, number: number): Promise<void>;

  /** Every group that has not expired. */
  groups(now: Instant): AsyncIterable<ErrorGroup>;
  /** The number of reports of each group, in the order of `fingerprints`. */
  counts(fingerprints: readonly string[], now: Instant): Promise<number[]>;
  /** The stored reports of a group, newest first. */
  reports(fingerprint: string, now: Instant): Promise<ErrorReport[]>;
}
