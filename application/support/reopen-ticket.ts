import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Ticket } from '../../domain/support/ticket.ts';
import type { Tickets } from '../../ports/outbound/support.ts';

export type Ports = { tickets: Tickets };

export type ReopenedTicket = Ticket & { readonly result: 'reopened' | 'unchanged' };

/** Opens a closed ticket again. */
export const reopenTicket =
  ({ tickets }: Ports) =>
  async (permit: Permit, id: number): Promise<Outcome<ReopenedTicket, 'not_found'>> => {
    const before = await tickets.get(id);
    const ticket = await tickets.mark(permit, id, 'open');
    if (!ticket) return refuse('not_found', { message: `There is no ticket ${id}.` });
    return ok({ ...ticket, result: before?.status === 'open' ? 'unchanged' : 'reopened' });
  };

export type ReopenTicket = ReturnType<typeof reopenTicket>;
