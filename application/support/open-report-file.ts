import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { TicketFile } from '../../domain/support/ticket.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ObjectBytes } from '../../ports/outbound/object-store.ts';

export type Ports = Needs<'objects' | 'tickets'>;

export type OpenedFile = { readonly file: TicketFile; readonly stream: ObjectBytes };

/** A file of a ticket's reports, with its bytes as they were sent; without a number, the newest one. */
export const openReportFile =
  ({ tickets, objects }: Ports) =>
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

export type OpenReportFile = ReturnType<typeof openReportFile>;
