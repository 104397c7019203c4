import { addDays, dayOf, type Instant, millis } from '../../domain/shared/instant.ts';
import { joinedUntil, type Ticket, type TicketFile } from '../../domain/support/ticket.ts';
import type { ReadOpening, Tickets } from '../../ports/outbound/tickets.ts';
import { keys, SHARDS } from './keys.ts';
import { allItems, allRecords } from './records.ts';
import type { NewItem, Table, Write } from './table.ts';

/** Tickets whose counts are asked for together. */
const AT_ONCE = 20;

/**
 * A ticket is written in one transaction with an item for the report that opened it, which holds only while no other
 * ticket was opened by the same; so there is one, however many processes are told at once. Reports that join it are
 * counted beside it.
 */
export class StoredTickets implements Tickets {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async opening(accountId: number, identity: string): Promise<ReadOpening> {
    const item = await this.#table.get(keys.opening(accountId, identity));
    return { opening: item?.data, version: item?.version ?? null };
  }

  open(ticket: Ticket, identity: string, { version }: ReadOpening, file: TicketFile | undefined): Promise<boolean> {
    const { id, account_id, created_at } = ticket;
    const opening: NewItem = {
      ...keys.opening(account_id, identity),
      data: { ticket_id: id, opened_at: created_at },
      expires_at: Math.ceil(millis(joinedUntil(created_at)) / 1000),
    };
    const writes: Write[] = [
      { put: opening, condition: version === null ? { absent: true } : { version } },
      { put: { ...keys.ticket(id), data: ticket }, condition: { absent: true } },
    ];
    if (file) writes.push({ put: { ...keys.ticketFile(id, file.number), data: file } });
    return this.#table.transact(writes);
  }

  async join(ticketId: number): Promise<number> {
    return 1 + (await this.#table.increment(keys.ticketCount(ticketId), 1));
  }

  countFileBytes(accountId: number, size: number, now: Instant): Promise<number> {
    const expires_at = Math.ceil(millis(addDays(now, 1)) / 1000);
    return this.#table.increment(keys.reportBytes(accountId, dayOf(now)), size, { expires_at, volatile: true });
  }

  async attach(ticketId: number, file: TicketFile): Promise<void> {
    await this.#table.put({ ...keys.ticketFile(ticketId, file.number), data: file });
  }

  async get(ticketId: number): Promise<Ticket | undefined> {
    return (await this.#table.get(keys.ticket(ticketId)))?.data;
  }

  async mark(ticketId: number, status: Ticket['status']): Promise<Ticket | undefined> {
    const item = await this.#table.get(keys.ticket(ticketId));
    if (!item || item.data.status === status) return item?.data;
    const marked: Ticket = { ...item.data, status };
    const written = await this.#table.put({ ...keys.ticket(ticketId), data: marked }, { version: item.version });
    return written ? marked : this.mark(ticketId, status);
  }

  async *list(): AsyncGenerator<Ticket> {
    for (let shard = 0; shard < SHARDS; shard++) {
      for await (const { data } of allItems(this.#table, keys.tickets(shard))) yield data;
    }
  }

  async counts(ticketIds: readonly number[]): Promise<number[]> {
    const counts: number[] = [];
    for (let at = 0; at < ticketIds.length; at += AT_ONCE) {
      const some = ticketIds.slice(at, at + AT_ONCE);
      // A count is read by adding nothing to it, for counters know only that.
      const joined = some.map((id) => this.#table.increment(keys.ticketCount(id), 0, { volatile: true }));
      counts.push(...(await Promise.all(joined)).map((count) => count + 1));
    }
    return counts;
  }

  files(ticketId: number): Promise<TicketFile[]> {
    return allRecords(this.#table, keys.ticketFiles(ticketId));
  }
}
