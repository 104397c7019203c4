import type { Instant } from '../../domain/shared/instant.ts';
import type { Ticket, TicketFile } from '../../domain/support/ticket.ts';

/** What the same report joins: the ticket that it opened, as it was read. */
export type ReadOpening = {
  readonly opening: { readonly ticket_id: number; readonly opened_at: Instant } | undefined;
  readonly version: string | null;
};

export interface Tickets {
  /** The ticket that the account opened with this report, by its identity. */
  opening(accountId: number, identity: string): Promise<ReadOpening>;
  /** Opens a ticket, with its file if there is one; false where the same report opened one since that was read. */
  open(ticket: Ticket, identity: string, read: ReadOpening, file: TicketFile | undefined): Promise<boolean>;
  /** Counts a report that joins a ticket and returns which of its reports it is, from 2 on; one atomic step. */
  join(ticketId: number): Promise<number>;
  /** Counts the bytes of a file that an account sends in the day of `now`, and returns how many it has sent in it. */
  countFileBytes(accountId: number, size: number, now: Instant): Promise<number>;
  attach(ticketId: number, file: TicketFile): Promise<void>;

  get(ticketId: number): Promise<Ticket | undefined>;
  /** Opens or closes the ticket; the same where it was so before, undefined where there is none. */
  mark(ticketId: number, status: Ticket['status']): Promise<Ticket | undefined>;
  list(): AsyncIterable<Ticket>;
  /** How many reports each ticket is of. */
  counts(ticketIds: readonly number[]): Promise<number[]>;
  /** The files of a ticket by number. */
  files(ticketId: number): Promise<TicketFile[]>;
}
