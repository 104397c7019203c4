import type { Ticket } from '../../domain/support/ticket.ts';
import type { TicketAnswer } from '../../domain/support/ticket-answer.ts';
import type { Tickets } from '../../ports/outbound/support.ts';

export type Ports = { tickets: Tickets };

/** A ticket as its buyer sees it: without the name of the operator who answered. */
export type OwnTicket = Pick<Ticket, 'id' | 'kind' | 'status' | 'summary' | 'created_at'> & {
  readonly answers: readonly Omit<TicketAnswer, 'by'>[];
};

/** The most tickets that a buyer is shown. */
export const OWN_TICKETS = 50;

/**
 * The newest tickets of an account, newest first, each with its answers in the order in which they were given. Answers
 * are asked for only where there are any, because most tickets have none.
 */
export const listOwnTickets =
  ({ tickets }: Ports) =>
  async (accountId: number): Promise<OwnTicket[]> => {
    const found = await tickets.ofAccount(accountId, OWN_TICKETS);
    return Promise.all(
      found.map(async ({ id, kind, status, summary, created_at, answer_count = 0 }) => {
        const answers = answer_count > 0 ? await tickets.answers(id) : [];
        return { id, kind, status, summary, created_at, answers: answers.map(({ by: _, ...answer }) => answer) };
      }),
    );
  };

export type ListOwnTickets = ReturnType<typeof listOwnTickets>;
