import type { Permit } from '../../domain/access/permit.ts';
import type { OrderWithdrawal } from '../../domain/billing/order.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import { MINUTE_MS, millis, toInstant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { type Stretch, stretchOf } from '../../domain/shared/paging.ts';
import { plainName } from '../../domain/shared/plain-text.ts';
import {
  answeredTicket,
  isFormerWithdrawal,
  isOutdatedReportFile,
  nextAnswer,
  nextReply,
  replyFile,
  type Ticket,
  type TicketAnswer,
  type TicketFile,
  withdrawalBy,
} from '../../domain/support/ticket.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ObjectBytes } from '../../ports/outbound/object-store.ts';
import type { Tickets } from '../../ports/outbound/support.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { ReceivedFile } from '../shared/files.ts';
import { KeptFiles, withinDay } from './kept-files.ts';

export type Answering = {
  readonly id: number;
  readonly text: string;
  readonly close: boolean;
  readonly file?: ReceivedFile | null;
};

export type AnsweredTicket = {
  readonly ticket: Ticket;
  readonly answer: TicketAnswer;
  /** Present if the answer came with a file; null if it would be too many bytes for the account's day. */
  readonly file?: TicketFile | null;
  /** The buyer's email address; null if the account was erased. */
  readonly account_email: string | null;
};

type AnswerRefusal = 'not_found' | 'empty_answer' | 'answer_too_long' | 'too_many_answers';

type Ports = Needs<'accounts' | 'clock' | 'objects' | 'pauses' | 'tickets'>;

type FilePorts = Needs<'clock' | 'objects' | 'tickets'>;

/** Runs `work` with the file of an answer or a reply, if the account may have it. A refused one leaves no file. */
const withFile = async <T extends { readonly ok: boolean }>(
  { tickets, clock, objects }: FilePorts,
  permit: Permit,
  { account_id, file }: { readonly account_id: number; readonly file: ReceivedFile | null },
  work: (files: KeptFiles) => Promise<T>,
): Promise<T> => {
  const files = new KeptFiles(objects, permit, await withinDay({ tickets, clock }, permit, account_id, file));
  let isKept = false;
  try {
    const done = await work(files);
    isKept = done.ok;
    return done;
  } finally {
    if (!isKept) await files.removeMade();
  }
};

/**
 * Stores the operator's answer with the ticket, for the buyer to read on the account's pages. The answer is written
 * before the ticket is closed.
 */
export const answerTicket = (ports: Ports) => {
  const { accounts, tickets, clock, pauses } = ports;

  return async function answerTicket(
    permit: Permit,
    { id, text, close, file = null }: Answering,
  ): Promise<Outcome<AnsweredTicket, AnswerRefusal>> {
    const found = file && (await tickets.get(id));
    // An erased account gets no file, because its erasure has removed those of its tickets.
    const owner = found ? await accounts.get(found.account_id) : undefined;
    const attaching = { account_id: owner?.id ?? 0, file: owner ? file : null };
    const answered = await withFile(ports, permit, attaching, (files) =>
      untilWritten<Outcome<Omit<AnsweredTicket, 'account_email'>, AnswerRefusal>>(pauses, async () => {
        const ticket = await tickets.get(id);
        if (!ticket) return refuse('not_found', { message: `There is no ticket ${id}.` });
        const now = clock.now();
        const next = nextAnswer(ticket, await tickets.answers(id), { text, by: permit.by().id }, now);
        if (!next.ok) return next;
        const messages = [messageAbout('answer', { ...ticket, product_id: null })];
        const attached = await files.keep((received) => replyFile(received, next.value.number, now));
        if (!(await tickets.answer(permit, ticket, next.value, attached ?? undefined, messages))) return CONFLICT;
        return ok({
          ticket: answeredTicket(ticket, next.value),
          answer: next.value,
          ...(file && { file: attached }),
        });
      }),
    );
    if (!answered.ok) return answered;
    const { ticket } = answered.value;
    const [closed, account] = await Promise.all([
      close ? tickets.mark(permit, id, 'closed') : ticket,
      accounts.get(ticket.account_id),
    ]);
    return ok({ ...answered.value, ticket: closed ?? ticket, account_email: account?.email ?? null });
  };
};

export type Reply = {
  readonly account_id: number;
  readonly id: number;
  readonly text: string;
  readonly file?: ReceivedFile | null;
};

/** `file` is present if the reply came with one; null if the account has sent too many bytes of files today. */
export type KeptReply = TicketAnswer & { readonly file?: TicketFile | null };

/**
 * Stores a buyer's reply with the buyer's own ticket, for the shop to read. It reopens a closed ticket. A refused reply
 * leaves no file.
 */
export const replyToTicket = (ports: FilePorts & Needs<'pauses'>) =>
  function replyToTicket(
    permit: Permit,
    { account_id, id, text, file = null }: Reply,
  ): Promise<Outcome<KeptReply, AnswerRefusal>> {
    const { tickets, clock, pauses } = ports;
    return withFile(ports, permit, { account_id, file }, (files) =>
      untilWritten<Outcome<KeptReply, AnswerRefusal>>(pauses, async () => {
        const ticket = await tickets.get(id);
        if (ticket?.account_id !== account_id) return refuse('not_found', { message: `You have no ticket ${id}.` });
        const now = clock.now();
        const next = nextReply(ticket, await tickets.answers(id), text, now);
        if (!next.ok) return next;
        const attached = await files.keep((received) => replyFile(received, next.value.number, now));
        if (!(await tickets.answer(permit, ticket, next.value, attached ?? undefined))) return CONFLICT;
        return ok({ ...next.value, ...(file && { file: attached }) });
      }),
    );
  };

const marking = <R extends 'closed' | 'reopened'>(status: Ticket['status'], done: R) =>
  function marking({ tickets }: { tickets: Tickets }) {
    return async function markTicket(
      permit: Permit,
      { ticket_id: id }: { readonly ticket_id: number },
    ): Promise<Outcome<Ticket & { readonly result: R | 'unchanged' }, 'not_found'>> {
      const before = await tickets.get(id);
      const ticket = await tickets.mark(permit, id, status);
      if (!ticket) return refuse('not_found', { message: `There is no ticket ${id}.` });
      return ok({ ...ticket, result: before?.status === status ? 'unchanged' : done });
    };
  };

/** Closes a ticket. The same report within 24 hours of its opening still joins the ticket, and reopens it. */
export const closeTicket = marking('closed', 'closed');

export const reopenTicket = marking('open', 'reopened');

/** A file as its sender sees it. */
export type OwnFile = Pick<TicketFile, 'number' | 'name' | 'size' | 'answer'>;

/** A ticket in the list of its buyer, with its subject on one line. */
export type OwnTicket = Pick<
  Ticket,
  'id' | 'kind' | 'status' | 'summary' | 'created_at' | 'product_id' | 'withdrawal'
> & {
  /** The number of the shop's answers and the buyer's replies. */
  readonly answer_count: number;
  /** True if the last message is the shop's. */
  readonly is_answered: boolean;
};

/** A ticket on its own page: without the names of the operators who answered. */
export type ShownTicket = OwnTicket & {
  readonly detail: string;
  /** The shop's answers and the buyer's replies on this page, in order. */
  readonly answers: readonly Omit<TicketAnswer, 'by'>[];
  /** The files that are still stored. */
  readonly files: readonly OwnFile[];
  /** The number of the answer before which the page of older ones ends; null if this page has the first. */
  readonly older: number | null;
};

/** The number of tickets on a page of the list. */
const TICKETS_SHOWN = 20;

/** The number of characters of answers on a ticket's page. In HTML, a character takes at most six bytes. */
const ANSWERS_SHOWN = 100_000;

const ownTicket = (
  { id, kind, status, summary, created_at, product_id, withdrawal, answer_count = 0 }: Ticket,
  last?: string,
) => ({
  id,
  kind,
  status,
  summary: plainName(summary) ?? '',
  created_at,
  ...(product_id === undefined ? {} : { product_id }),
  ...(withdrawal && { withdrawal }),
  answer_count,
  is_answered: answer_count > 0 && last !== 'buyer',
});

/** The newest tickets of an account, newest first, after a cursor: `next_after` is the id of the last one. */
export const listOwnTickets = ({ tickets }: Needs<'tickets'>) =>
  async function listOwnTickets(account_id: number, after: number | null = null): Promise<Stretch<OwnTicket>> {
    const found = await tickets.ofAccount(account_id, TICKETS_SHOWN + 1, after ?? undefined);
    const listed = found.map(async (ticket) => ownTicket(ticket, await lastWord(tickets, ticket)));
    return stretchOf(
      await Promise.all(listed),
      { limit: TICKETS_SHOWN, after: null },
      { place: ({ id }) => String(id) },
    );
  };

/** The author of the last answer. It is read only if the buyer has replied, because most tickets have no reply. */
const lastWord = async (tickets: Tickets, { id, answer_count = 0, replied_at }: Ticket): Promise<string | undefined> =>
  replied_at === undefined ? undefined : (await tickets.answers(id, answer_count)).at(-1)?.from;

/** The last answers that fit on a page; at least one. */
const roomFor = <A extends { readonly text: string }>(answers: readonly A[]): readonly A[] => {
  let [first, room] = [answers.length, ANSWERS_SHOWN];
  while (first > 0 && (first === answers.length || room >= (answers[first - 1] as A).text.length)) {
    first -= 1;
    room -= (answers[first] as A).text.length;
  }
  return answers.slice(first);
};

/** A ticket of an account with its newest answers, or with those before the answer number `before`. */
export const showOwnTicket = ({ tickets, clock }: Needs<'clock' | 'tickets'>) =>
  async function showOwnTicket(
    account_id: number,
    id: number,
    before: number | null = null,
  ): Promise<Outcome<ShownTicket, 'not_found'>> {
    const ticket = await tickets.get(id);
    if (ticket?.account_id !== account_id) return refuse('not_found', { message: `You have no ticket ${id}.` });
    const [all, files] = await Promise.all([tickets.answers(id), tickets.files(id)]);
    const page = roomFor(before === null ? all : all.filter(({ number }) => number < before));
    const [first] = page;
    return ok({
      ...ownTicket(ticket, all.at(-1)?.from),
      detail: ticket.detail,
      answers: page.map(({ by: _, ...answer }) => answer),
      files: files.filter(({ object_key }) => !isOutdatedReportFile(object_key, clock.now())),
      older: first && first !== all[0] ? first.number : null,
    });
  };

/** The number of tickets searched for one with a given text. */
const LOOKED_AT = 50;

/**
 * The withdrawal from an order that an earlier version stored only as the text of a ticket, among the newest tickets.
 */
export const findFormerWithdrawal = ({ tickets }: Needs<'tickets'>) =>
  async function findFormerWithdrawal(account_id: number, order_id: number): Promise<OrderWithdrawal | undefined> {
    const found = (await tickets.ofAccount(account_id, LOOKED_AT)).findLast((one) => isFormerWithdrawal(one, order_id));
    return found && withdrawalBy(found);
  };

export type FindFormerWithdrawal = ReturnType<typeof findFormerWithdrawal>;

export type OpenedFile = { readonly file: TicketFile; readonly stream: ObjectBytes };

const LINK_MINUTES = 15;

/**
 * A link that downloads a file of a ticket for 15 minutes without a credential. No browser displays it as a page,
 * whatever type its sender claimed.
 */
const linkTo = ({ objects, clock }: Needs<'clock' | 'objects'>) =>
  async function linkTo({ object_key, name }: TicketFile): Promise<string> {
    const expiresAt = toInstant(millis(clock.now()) + LINK_MINUTES * MINUTE_MS);
    const as = { filename: name, contentType: 'application/octet-stream', expiresAt };
    return (await objects.signDownload(object_key, as)).url;
  };

/** The files of a ticket, each with its link; null if the file is no longer stored. */
export const linkReportFiles = ({ objects, clock }: Needs<'clock' | 'objects'>) =>
  function linkReportFiles(files: readonly TicketFile[]) {
    return Promise.all(
      files.map(async (file) => {
        const isKept = !isOutdatedReportFile(file.object_key, clock.now());
        return { ...file, download_url: isKept ? await linkTo({ objects, clock })(file) : null };
      }),
    );
  };

export const linkOwnFile = ({ tickets, objects, clock }: Needs<'clock' | 'objects' | 'tickets'>) =>
  async function linkOwnFile(account_id: number, { ticket: id, number }: Record<'ticket' | 'number', number>) {
    const [ticket, files] = await Promise.all([tickets.get(id), tickets.files(id)]);
    const file = ticket?.account_id === account_id ? files.find((one) => one.number === number) : undefined;
    if (!file || isOutdatedReportFile(file.object_key, clock.now())) return refuse('not_found');
    return ok(await linkTo({ objects, clock })(file));
  };

/** A file of a ticket's reports, with its bytes as sent; by default the newest one. */
export const openReportFile = ({ tickets, objects }: Needs<'objects' | 'tickets'>) =>
  async function openReportFile(ticket_id: number, number: number | null): Promise<Outcome<OpenedFile, 'not_found'>> {
    const [ticket, files] = await Promise.all([tickets.get(ticket_id), tickets.files(ticket_id)]);
    if (!ticket) return refuse('not_found', { message: `There is no ticket ${ticket_id}.` });
    const file = number === null ? files.at(-1) : files.find((one) => one.number === number);
    if (!file) return refuse('not_found', { message: `Ticket ${ticket_id} has no such file.` });
    const opened = await objects.open(file.object_key);
    return opened
      ? ok({ file, stream: opened.stream })
      : refuse('not_found', { message: `The file ${file.name} of ticket ${ticket_id} is no longer stored.` });
  };
