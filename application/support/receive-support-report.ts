import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import {
  FILE_BYTES_A_DAY,
  FILES_KEPT,
  isJoined,
  reportIdentity,
  reportObjectKey,
  type SupportReport,
  scrubbedName,
  scrubbedReport,
  type Ticket,
  type TicketFile,
} from '../../domain/support/ticket.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { ReadOpening, Tickets } from '../../ports/outbound/tickets.ts';
import type { Admission } from '../shared/admission.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { ReceivedFile } from '../shared/received-file.ts';

type Ports = { tickets: Tickets; objects: ObjectStore; ids: Ids; clock: Clock; pauses: Pauses };

type Input = { key: ApiKey; report: SupportReport; file: ReceivedFile | null; admitted: Admission };

const view = ({ id, kind, status, created_at }: Ticket, reports: number, file: TicketFile | undefined) => ({
  id,
  kind,
  status,
  created_at,
  reports,
  bundle: file ? { name: file.name, size: file.size, sha256: file.sha256 } : null,
});

/**
 * Takes in what a buyer reports, with a file or without. The first report opens a ticket, the same one within 24 hours
 * joins it; of any number at once, one opens it.
 */
export class ReceiveSupportReport {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, report, file, admitted }: Input) {
    const { tickets, pauses, clock } = this.#ports;
    const { account_id } = key;
    const identity = reportIdentity(report);
    const first = await tickets.opening(account_id, identity);
    await admitted;
    const kept = await this.#withinDay(account_id, file);
    let known: ReadOpening | undefined = first;
    return untilWritten(pauses, async () => {
      const read = known ?? (await tickets.opening(account_id, identity));
      known = undefined;
      const now = clock.now();
      if (read.opening && isJoined(read.opening.opened_at, now)) return this.#join(read.opening.ticket_id, kept, now);
      return this.#open(account_id, report, identity, read, kept, now);
    });
  }

  async #open(
    account_id: number,
    report: SupportReport,
    identity: string,
    read: ReadOpening,
    received: ReceivedFile | null,
    created_at: Instant,
  ) {
    const { tickets, ids } = this.#ports;
    const ticket: Ticket = { ...scrubbedReport(report), id: ids.next(), account_id, status: 'open', created_at };
    const file = received ? await this.#keep(received, 1, created_at) : undefined;
    if (!(await tickets.open(ticket, identity, read, file))) return CONFLICT;
    return { ticket: view(ticket, 1, file), deduplicated: false };
  }

  async #join(ticketId: number, received: ReceivedFile | null, now: Instant) {
    const { tickets } = this.#ports;
    const [found, number] = await Promise.all([tickets.get(ticketId), tickets.join(ticketId)]);
    // What is reported again isn't done with: a ticket that was closed would be seen by nobody.
    const ticket = found?.status === 'closed' ? await tickets.mark(ticketId, 'open') : found;
    if (!ticket) throw new Error(`The ticket ${ticketId} was opened and is not there.`);
    const file = received && number <= FILES_KEPT ? await this.#keep(received, number, now) : undefined;
    if (file) await tickets.attach(ticketId, file);
    return { ticket: view(ticket, number, file), deduplicated: true };
  }

  async #keep({ name, type, size, sha256, open }: ReceivedFile, number: number, received_at: Instant) {
    const object_key = reportObjectKey(received_at, sha256);
    await this.#ports.objects.put(object_key, open(), { sha256, size });
    return { number, name: scrubbedName(name), type, size, sha256, object_key, received_at } satisfies TicketFile;
  }

  /** The file, where there is one and the account hasn't sent more today than is kept in a day. */
  async #withinDay(accountId: number, file: ReceivedFile | null): Promise<ReceivedFile | null> {
    const { tickets, clock } = this.#ports;
    if (!file) return null;
    return (await tickets.countFileBytes(accountId, file.size, clock.now())) > FILE_BYTES_A_DAY ? null : file;
  }
}
