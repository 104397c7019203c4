import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Ticket } from '../../domain/support/ticket.ts';
import type { Tickets } from '../../ports/outbound/tickets.ts';

type Ports = { tickets: Tickets };

/** Closes a ticket. While its 24 hours last, the same report joins it all the same, and opens it again. */
export class CloseTicket {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(id: number): Promise<Outcome<Ticket, 'not_found'>> {
    const ticket = await this.#ports.tickets.mark(id, 'closed');
    return ticket ? ok(ticket) : refuse('not_found', { message: `There is no ticket ${id}.` });
  }
}
