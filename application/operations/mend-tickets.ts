import type { Permit } from '../../domain/access/permit.ts';
import type { Tickets } from '../../ports/outbound/tickets.ts';

export type Ports = { tickets: Tickets };

/**
 * Lists the tickets that an older version opened with their accounts. The tickets stay as they are.
 *
 * Returns the number of tickets that were not listed. A ticket of an erased account stays unlisted.
 */
export const mendTickets =
  ({ tickets }: Ports) =>
  async (permit: Permit): Promise<number> => {
    let mended = 0;
    for await (const ticket of tickets.list()) if (await tickets.enlist(permit, ticket)) mended++;
    return mended;
  };

export type MendTickets = ReturnType<typeof mendTickets>;
