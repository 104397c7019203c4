import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Ticket } from '../../domain/support/ticket.ts';
import type { Tickets } from '../../ports/outbound/support.ts';

export type Ports = { tickets: Tickets };

export type ClosedTicket = Ticket & { readonly result: 'closed' | 'unchanged' };

/** Closes a ticket. The same report within 24 hours of its opening still joins the ticket, and opens it again. */
export const closeTicket =
  ({ tickets }: Ports) =>
  async (permit: Permit, id: number): Promise<Outcome<ClosedTicket, 'not_found'>> => {
    const before = await tickets.get(id);
    const ticket = await tickets.mark(permit, id, 'closed');
    if (!ticket) return refuse('not_found', { message: `There is no ticket ${id}.` });
    return ok({ ...ticket, result: before?.status === 'closed' ? 'unchanged' : 'closed' });
  };

export type CloseTicket = ReturnType<typeof closeTicket>;
