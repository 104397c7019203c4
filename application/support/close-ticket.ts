import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Ticket } from '../../domain/support/ticket.ts';
import type { Tickets } from '../../ports/outbound/tickets.ts';

type Ports = { tickets: Tickets };

/** Closes a ticket. The same report joins it all the same, while its 24 hours last. */
export class CloseTicket {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(id: number): Promise<Outcome<Ticket, 'not_found'>> {
    const ticket = await this.#ports.tickets.close(id);
    return ticket ? ok(ticket) : refuse('not_found', { message: `There is no ticket ${id}.` });
  }
}
