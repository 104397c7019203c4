import { hash } from 'node:crypto';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { ErrorGroup } from '../../../domain/support/error-group.ts';
import type { ErrorReport } from '../../../domain/support/error-report.ts';
import type { JoinedReport, Ticket, TicketAnswer, TicketFile, TicketList } from '../../../domain/support/ticket.ts';
import type { CounterKey, KeyOf, Partition } from './families.ts';
import { accountPartition, keyIn, ofAccount, padded, SHARDS } from './shared.ts';

/** The ticket that a report opened, which an identical report joins. */
export type Opening = { readonly ticket_id: number; readonly opened_at: Instant };

/** Names a ticket in the list of its account, and says whether it has files. */
export type TicketPointer = { readonly ticket_id: number; readonly has_files?: true };

/** The shard of a fingerprint, by its last hex digit. */
const shardOf = (fingerprint: string): number => Number.parseInt(fingerprint.slice(-1), 16) % SHARDS;

/** Keys of error groups, tickets and their counts. A `day` is `YYYY-MM-DD`, a shard is 0 to 7. */
export const supportKeys = {
  errorGroups: (shard: number): Partition<ErrorGroup> => ({ pk: `ERRORS#${shard}` }),
  errorGroup: (fingerprint: string): KeyOf<ErrorGroup> => ({ pk: `ERRORS#${shardOf(fingerprint)}`, sk: fingerprint }),
  errorCount: (fingerprint: string): CounterKey => ({ pk: `ERROR#${fingerprint}`, sk: 'COUNT' }),
  newErrorGroups: (scope: string, day: string): CounterKey => ({ pk: `NEWERRORS#${scope}`, sk: day }),
  /** Each position has its own partition, so that a flood of one error does not overload a single partition. */
  errorReport: (fingerprint: string, place: number) => keyIn<ErrorReport>(`ERROR#${fingerprint}#${place}`, 'REPORT'),

  opening: (account_id: number, identity: string) =>
    ofAccount<Opening>(account_id, `REPORTED#${hash('sha256', identity, 'hex')}`),
  reportBytes: (account_id: number, day: string): CounterKey => ({ pk: `REPORTBYTES#${account_id}`, sk: day }),
  tickets: (shard: number): Partition<Ticket> => ({ pk: `TICKETS#${shard}` }),
  ticket: (id: number): KeyOf<Ticket> => ({ pk: `TICKETS#${id % SHARDS}`, sk: padded(id) }),
  /** The tickets of an account with an id below `before`, ordered by id; ids grow with time. */
  ticketsOf: (account_id: number, before = Number.MAX_SAFE_INTEGER): Partition<TicketPointer> => ({
    pk: accountPartition(account_id),
    from: 'TICKET#',
    to: `TICKET#${padded(before - 1)}`,
  }),
  ticketOf: (account_id: number, id: number) => ofAccount<TicketPointer>(account_id, `TICKET#${padded(id)}`),
  /** The ticket with a number; absent for a ticket of an earlier version. */
  ticketNumbered: (number: string) => keyIn<TicketPointer>(`TICKETNUMBER#${number}`, 'TICKET'),
  /** The tickets of a list, by their places there (`placesOf`). */
  ticketList: (list: TicketList): Partition<TicketPointer> => ({ pk: `TICKETLIST#${list}` }),
  ticketIn: ({ list, place }: { readonly list: TicketList; readonly place: string }) =>
    keyIn<TicketPointer>(`TICKETLIST#${list}`, place),
  ticketAnswers: (id: number, from = 1): Partition<TicketAnswer> => ({
    pk: `TICKET#${id}`,
    from: `ANSWER#${padded(from)}`,
    to: 'ANSWER#~',
  }),
  ticketAnswer: (id: number, number: number) => keyIn<TicketAnswer>(`TICKET#${id}`, `ANSWER#${padded(number)}`),
  ticketCount: (id: number): CounterKey => ({ pk: `TICKET#${id}`, sk: 'COUNT' }),
  joinedReports: (id: number): Partition<JoinedReport> => ({ pk: `TICKET#${id}`, prefix: 'JOINED#' }),
  joinedReport: (id: number, place: number) => keyIn<JoinedReport>(`TICKET#${id}`, `JOINED#${padded(place)}`),
  ticketFiles: (id: number): Partition<TicketFile> => ({ pk: `TICKET#${id}`, prefix: 'FILE#' }),
  ticketFile: (id: number, number: number): KeyOf<TicketFile> => ({ pk: `TICKET#${id}`, sk: `FILE#${padded(number)}` }),
};
