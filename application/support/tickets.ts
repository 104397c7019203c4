import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import {
  answeredTicket,
  nextAnswer,
  nextReply,
  type Ticket,
  type TicketAnswer,
  type TicketFile,
} from '../../domain/support/ticket.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ObjectBytes } from '../../ports/outbound/object-store.ts';
import type { Tickets } from '../../ports/outbound/support.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Answering = { readonly id: number; readonly text: string; readonly close: boolean };

export type AnsweredTicket = {
  readonly ticket: Ticket;
  readonly answer: TicketAnswer;
  /** The buyer's address; null where the account is gone. */
  readonly account_email: string | null;
};

type AnswerRefusal = 'not_found' | 'empty_answer' | 'answer_too_long' | 'too_many_answers';

/**
 * Keeps the operator's answer with the ticket, where its buyer reads it on the account's pages. The
 * answer is written before the ticket is closed.
 */
export const answerTicket =
  ({ accounts, tickets, clock, pauses }: Needs<'accounts' | 'clock' | 'pauses' | 'tickets'>) =>
  async (permit: Permit, { id, text, close }: Answering): Promise<Outcome<AnsweredTicket, AnswerRefusal>> => {
    const answered = await untilWritten(pauses, async () => {
      const ticket = await tickets.get(id);
      if (!ticket) return refuse('not_found', { message: `There is no ticket ${id}.` });
      const next = nextAnswer(ticket, await tickets.answers(id), { text, by: permit.by().id }, clock.now());
      if (!next.ok) return next;
      if (!(await tickets.answer(permit, ticket, next.value))) return CONFLICT;
      return ok({ ticket: answeredTicket(ticket, next.value), answer: next.value });
    });
    if (!answered.ok) return answered;
    const { ticket, answer } = answered.value;
    const [closed, account] = await Promise.all([
      close ? tickets.mark(permit, id, 'closed') : ticket,
      accounts.get(ticket.account_id),
    ]);
    return ok({ ticket: closed ?? ticket, answer, account_email: account?.email ?? null });
  };

/** Keeps a buyer's reply with the own ticket, where the shop reads it. It opens a closed ticket again. */
export const replyToTicket =
  ({ tickets, clock, pauses }: Needs<'clock' | 'pauses' | 'tickets'>) =>
  (
    permit: Permit,
    { accountId, id, text }: { readonly accountId: number; readonly id: number; readonly text: string },
  ): Promise<Outcome<TicketAnswer, AnswerRefusal>> =>
    untilWritten(pauses, async () => {
      const ticket = await tickets.get(id);
      if (ticket?.account_id !== accountId) return refuse('not_found', { message: `You have no ticket ${id}.` });
      const next = nextReply(ticket, await tickets.answers(id), text, clock.now());
      if (!next.ok) return next;
      return (await tickets.answer(permit, ticket, next.value)) ? next : CONFLICT;
    });

export type ReplyToTicket = ReturnType<typeof replyToTicket>;

const marking =
  <R extends 'closed' | 'reopened'>(status: Ticket['status'], done: R) =>
  ({ tickets }: { tickets: Tickets }) =>
  async (permit: Permit, id: number): Promise<Outcome<Ticket & { readonly result: R | 'unchanged' }, 'not_found'>> => {
    const before = await tickets.get(id);
    const ticket = await tickets.mark(permit, id, status);
    if (!ticket) return refuse('not_found', { message: `There is no ticket ${id}.` });
    return ok({ ...ticket, result: before?.status === status ? 'unchanged' : done });
  };

/** Closes a ticket. The same report within 24 hours of its opening still joins the ticket, and opens it again. */
export const closeTicket = marking('closed', 'closed');

/** Opens a closed ticket again. */
export const reopenTicket = marking('open', 'reopened');

/** A ticket as its buyer sees it: without the name of the operator who answered. */
export type OwnTicket = Pick<Ticket, 'id' | 'kind' | 'status' | 'summary' | 'detail' | 'created_at' | 'product_id'> & {
  /** The shop's answers and the own replies, in their order. */
  readonly answers: readonly Omit<TicketAnswer, 'by'>[];
};

/** The most tickets that a buyer is shown. */
export const OWN_TICKETS = 50;

/**
 * The newest tickets of an account, newest first, each with its answers in the order in which they were given. Answers
 * are asked for only where there are any, because most tickets have none.
 */
export const listOwnTickets =
  ({ tickets }: { tickets: Tickets }) =>
  async (accountId: number): Promise<OwnTicket[]> => {
    const found = await tickets.ofAccount(accountId, OWN_TICKETS);
    return Promise.all(
      found.map(async ({ id, kind, status, summary, detail, created_at, answer_count = 0, product_id }) => {
        const answers = answer_count > 0 ? await tickets.answers(id) : [];
        return {
          id,
          kind,
          status,
          summary,
          detail,
          created_at,
          ...(product_id === undefined ? {} : { product_id }),
          answers: answers.map(({ by: _, ...answer }) => answer),
        };
      }),
    );
  };

export type ListOwnTickets = ReturnType<typeof listOwnTickets>;

export type OpenedFile = { readonly file: TicketFile; readonly stream: ObjectBytes };

/** A file of a ticket's reports, with its bytes as they were sent; without a number, the newest one. */
export const openReportFile =
  ({ tickets, objects }: Needs<'objects' | 'tickets'>) =>
  async (ticketId: number, number: number | null): Promise<Outcome<OpenedFile, 'not_found'>> => {
    const [ticket, files] = await Promise.all([tickets.get(ticketId), tickets.files(ticketId)]);
    if (!ticket) return refuse('not_found', { message: `There is no ticket ${ticketId}.` });
    const file = number === null ? files.at(-1) : files.find((one) => one.number === number);
    if (!file) return refuse('not_found', { message: `Ticket ${ticketId} has no such file.` });
    const opened = await objects.open(file.object_key);
    return opened
      ? ok({ file, stream: opened.stream })
      : refuse('not_found', { message: `The file ${file.name} of ticket ${ticketId} is no longer kept.` });
  };
