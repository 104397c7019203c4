import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Ticket } from '../../domain/support/ticket.ts';
import { nextAnswer, type TicketAnswer } from '../../domain/support/ticket-answer.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

export type Ports = Needs<'accounts' | 'clock' | 'pauses' | 'tickets'>;

export type Input = { readonly id: number; readonly text: string; readonly close: boolean };

export type AnsweredTicket = {
  readonly ticket: Ticket;
  readonly answer: TicketAnswer;
  /** The buyer's address; null where the account is gone. */
  readonly account_email: string | null;
};

export type Refusal = 'not_found' | 'empty_answer' | 'answer_too_long' | 'too_many_answers';

/**
 * Keeps the operator's answer with the ticket, where its buyer reads it on the account's pages. The
 * answer is written before the ticket is closed.
 */
export const answerTicket =
  ({ accounts, tickets, clock, pauses }: Ports) =>
  async (permit: Permit, { id, text, close }: Input): Promise<Outcome<AnsweredTicket, Refusal>> => {
    const answered = await untilWritten(pauses, async () => {
      const ticket = await tickets.get(id);
      if (!ticket) return refuse('not_found', { message: `There is no ticket ${id}.` });
      const next = nextAnswer(ticket, await tickets.answers(id), { text, by: permit.by().id }, clock.now());
      if (!next.ok) return next;
      if (!(await tickets.answer(permit, ticket, next.value))) return CONFLICT;
      return ok({ ticket: { ...ticket, answer_count: next.value.number }, answer: next.value });
    });
    if (!answered.ok) return answered;
    const { ticket, answer } = answered.value;
    const [closed, account] = await Promise.all([
      close ? tickets.mark(permit, id, 'closed') : ticket,
      accounts.get(ticket.account_id),
    ]);
    return ok({ ticket: closed ?? ticket, answer, account_email: account?.email ?? null });
  };

export type AnswerTicket = ReturnType<typeof answerTicket>;
