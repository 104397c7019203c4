import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import { dayOf, type Instant } from '../../domain/shared/instant.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import {
  answeredTicket,
  JOINED_KEPT,
  type JoinedReport,
  joinedUntil,
  placesOf,
  plainFileName,
  type Ticket,
  type TicketAnswer,
  type TicketFile,
  ticketForgottenAt,
  ticketNumber,
} from '../../domain/support/ticket.ts';
import { ticketEvents } from '../../domain/webhooks/events.ts';
import type { ListedTicket, OpeningEffect, ReadOpening, Tickets, TicketsFilter } from '../../ports/outbound/support.ts';
import { expiryAt, expiryOfDay } from './expiry.ts';
import { accountKeys } from './keys/accounts.ts';
import { isFilled, sumKeys } from './keys/sums.ts';
import { supportKeys } from './keys/support.ts';
import {
  allItems,
  allRecords,
  chunksOf,
  firstItems,
  ifUnchanged,
  itemOf,
  listedRecords,
  merged,
  notErased,
  readCounts,
  recordsOfShards,
} from './records.ts';
import { Audited } from './repository.ts';
import type { Key } from './table.ts';
import { MAX_BATCH } from './table-checks.ts';
import type { TypedWrite } from './typed-table.ts';

const expiryOf = ({ created_at }: Ticket): number => expiryAt(ticketForgottenAt(created_at));

/** Writes a ticket's file, if any, and records it in the list of its account. */
const fileWrites = (ticket: Ticket, file: TicketFile | undefined): TypedWrite[] => {
  if (!file) return [];
  const { id, account_id } = ticket;
  return [
    { put: itemOf(supportKeys.ticketFile(id, file.number), file, expiryOf(ticket)) },
    { put: itemOf(supportKeys.ticketOf(account_id, id), { ticket_id: id, has_files: true }, expiryOf(ticket)) },
  ];
};

/** The writes by which the shop's lists follow a ticket that is stored. */
export const listWrites = (before: Ticket | undefined, after: Ticket): TypedWrite[] => {
  const [from, to] = [before ? placesOf(before) : [], placesOf(after)];
  const isKept = (key: Key): boolean => to.some((one) => isSameJson(supportKeys.ticketIn(one), key));
  return [
    ...from.map(supportKeys.ticketIn).flatMap((key) => (isKept(key) ? [] : { remove: key })),
    ...to.map((one) => ({ put: itemOf(supportKeys.ticketIn(one), { ticket_id: after.id }, expiryOf(after)) })),
  ];
};

/** Writes a new ticket with its file, if any, and adds it to the list of its account. */
export const openingWrites = (ticket: Ticket, file?: TicketFile): TypedWrite[] => {
  const { id, account_id } = ticket;
  const pointer = itemOf(supportKeys.ticketOf(account_id, id), { ticket_id: id }, expiryOf(ticket));
  return [
    { put: itemOf(supportKeys.ticket(id), ticket, expiryOf(ticket)), condition: { absent: true } },
    {
      put: itemOf(supportKeys.ticketNumbered(ticketNumber(ticket)), { ticket_id: id }, expiryOf(ticket)),
      condition: { absent: true },
    },
    ...(file ? fileWrites(ticket, file) : [{ put: pointer }]),
    ...listWrites(undefined, ticket),
  ];
};

/**
 * One transaction writes a ticket and an item for the report that opens it, on the condition that the same report has
 * opened no other ticket since the read. So a report opens one ticket, however many processes receive it concurrently.
 * A counter beside the ticket counts the reports that join it. No text or file is written once the account is erased.
 */
export class StoredTickets extends Audited implements Tickets {
  async opening(account_id: number, identity: string): Promise<ReadOpening> {
    const item = await this.table.get(supportKeys.opening(account_id, identity));
    return { opening: item?.data, version: item?.version ?? null };
  }

  async open(
    permit: Permit,
    ticket: Ticket,
    identity: string,
    { version }: ReadOpening,
    file: TicketFile | undefined,
    messages: NewMessages = [],
  ): Promise<OpeningEffect> {
    const { id, account_id, created_at } = ticket;
    const opening = itemOf(
      supportKeys.opening(account_id, identity),
      { ticket_id: id, opened_at: created_at },
      expiryAt(joinedUntil(created_at)),
    );
    const writes: TypedWrite[] = [
      notErased(account_id),
      { put: opening, condition: ifUnchanged(version) },
      ...openingWrites(ticket, file),
      ...(await this.webhookWrites(permit, ticketEvents('opened', ticket))),
      ...this.messageWrites(permit, messages),
    ];
    if (await this.table.transact(writes)) return 'opened';
    return (await this.table.get(accountKeys.erasure(account_id))) ? 'erased' : 'changed';
  }

  async join(_permit: Permit, ticket_id: number, now: Instant): Promise<number> {
    const expires_at = expiryAt(ticketForgottenAt(now));
    return 1 + (await this.table.increment(supportKeys.ticketCount(ticket_id), 1, { expires_at }));
  }

  countFileBytes(_permit: Permit, account_id: number, size: number, now: Instant): Promise<number> {
    const key = supportKeys.reportBytes(account_id, dayOf(now));
    return this.table.increment(key, size, { expires_at: expiryOfDay(now), volatile: true });
  }

  keepJoined(_permit: Permit, ticket: Ticket, joined: JoinedReport, file: TicketFile | undefined): Promise<boolean> {
    const { id, account_id } = ticket;
    const key = supportKeys.joinedReport(id, joined.number % JOINED_KEPT);
    const put = itemOf(key, joined, expiryOf(ticket));
    return this.table.transact([notErased(account_id), { put }, ...fileWrites(ticket, file)]);
  }

  async get(ticket_id: number): Promise<Ticket | undefined> {
    return (await this.table.get(supportKeys.ticket(ticket_id)))?.data;
  }

  async numbered(number: string): Promise<number | undefined> {
    return (await this.table.get(supportKeys.ticketNumbered(number)))?.data.ticket_id;
  }

  async mark(permit: Permit, ticket_id: number, status: Ticket['status']): Promise<Ticket | undefined> {
    const item = await this.table.get(supportKeys.ticket(ticket_id));
    if (!item || item.data.status === status) return item?.data;
    const marked: Ticket = { ...item.data, status };
    const event = auditEvent(
      { kind: 'ticket', id: ticket_id, account_id: marked.account_id },
      status === 'closed' ? 'closed' : 'reopened',
    );
    const written = await this.table.transact([
      {
        put: itemOf(supportKeys.ticket(ticket_id), marked, expiryOf(marked)),
        condition: { version: item.version },
      },
      ...listWrites(item.data, marked),
      this.trail.entry(permit, event),
      ...(await this.webhookWrites(permit, ticketEvents(status === 'closed' ? 'closed' : 'reopened', marked))),
    ]);
    return written ? marked : this.mark(permit, ticket_id, status);
  }

  async answer(
    permit: Permit,
    { id, account_id }: Ticket,
    answer: TicketAnswer,
    file?: TicketFile,
    messages: NewMessages = [],
  ): Promise<boolean> {
    const item = await this.table.get(supportKeys.ticket(id));
    if (!item) return false;
    const answered = answeredTicket(item.data, answer);
    const forgotten = expiryOf(answered);
    const isReply = answer.from === 'buyer';
    return this.table.transact([
      ...(isReply || file ? [notErased(account_id)] : []),
      { put: itemOf(supportKeys.ticketAnswer(id, answer.number), answer, forgotten), condition: { absent: true } },
      { put: itemOf(supportKeys.ticket(id), answered, forgotten), condition: { version: item.version } },
      ...fileWrites(answered, file),
      ...listWrites(item.data, answered),
      this.trail.entry(permit, auditEvent({ kind: 'ticket', id, account_id }, isReply ? 'replied' : 'answered')),
      ...(await this.webhookWrites(permit, ticketEvents(isReply ? 'replied' : 'answered', answered))),
      ...this.messageWrites(permit, messages),
    ]);
  }

  answers(ticket_id: number, from?: number): Promise<TicketAnswer[]> {
    return allRecords(this.table, supportKeys.ticketAnswers(ticket_id, from));
  }

  async ofAccount(account_id: number, limit: number, before?: number): Promise<ListedTicket[]> {
    const query = { ...supportKeys.ticketsOf(account_id, before), descending: true };
    const pointers = await firstItems(this.table, query, limit);
    const found: ListedTicket[] = [];
    for (const some of chunksOf(pointers, MAX_BATCH)) {
      const items = await this.table.getMany(some.map(({ data }) => supportKeys.ticket(data.ticket_id)));
      found.push(
        ...items.flatMap((item, n) =>
          item ? { ...item.data, ...(some[n]?.data.has_files && { has_files: true as const }) } : [],
        ),
      );
    }
    return found;
  }

  async listed({ lists, since, after, passes, limit }: TicketsFilter): Promise<Ticket[] | undefined> {
    const { table } = this;
    if (!isFilled((await table.get(sumKeys.walk))?.data)) return undefined;
    const descending = !lists.includes('waiting');
    const range = descending ? { from: since ?? undefined, to: after ?? undefined } : { from: after ?? undefined };
    const places = lists.map((list) =>
      allItems(table, { ...supportKeys.ticketList(list), ...range, descending, limit: Math.min(limit, MAX_BATCH) }),
    );
    // A process of a former version changes tickets and not the lists.
    const isThere = (ticket: Ticket, { pk, sk }: Key) =>
      placesOf(ticket).some((one) => isSameJson(supportKeys.ticketIn(one), { pk, sk }));
    return listedRecords(
      table,
      merged(places, (a, b) => (a.sk < b.sk === descending ? 1 : -1)),
      ({ data }) => supportKeys.ticket(data.ticket_id),
      (ticket, at) => isThere(ticket, at) && passes(ticket),
      limit,
    );
  }

  list(): AsyncGenerator<Ticket> {
    return recordsOfShards(this.table, supportKeys.tickets);
  }

  async counts(ticketIds: readonly number[]): Promise<number[]> {
    const joined = await readCounts(this.table, ticketIds.map(supportKeys.ticketCount));
    return joined.map((count) => count + 1);
  }

  async joined(ticket_id: number): Promise<JoinedReport[]> {
    const joined = await allRecords(this.table, supportKeys.joinedReports(ticket_id));
    return joined.sort((a, b) => b.number - a.number);
  }

  async files(ticket_id: number): Promise<TicketFile[]> {
    const files = await allRecords(this.table, supportKeys.ticketFiles(ticket_id));
    // Earlier versions stored unsanitized names.
    return files.map((file) => ({ ...file, name: plainFileName(file.name) }));
  }
}
