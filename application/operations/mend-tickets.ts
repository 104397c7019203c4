import type { Permit } from '../../domain/access/permit.ts';
import type { Tickets } from '../../ports/outbound/tickets.ts';

export type Ports = { tickets: Tickets };

/** Lists the tickets that an older version opened with their accounts. The tickets stay as they are. */
export class MendTickets {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Returns the number of tickets that were not listed. A ticket of an erased account stays unlisted. */
  async execute(permit: Permit): Promise<number> {
    const { tickets } = this.#ports;
    let mended = 0;
    for await (const ticket of tickets.list()) if (await tickets.enlist(permit, ticket)) mended++;
    return mended;
  }
}
