import type { Permit } from '../../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import type { Clock } from '../../../ports/outbound/clock.ts';
import { ownArea, part } from '../../../runtimes/composition/area.ts';
import * as endpoints from './endpoints.ts';

/** The seats of an office, as a team keeps them in memory. */
export class Seats {
  readonly writes: { readonly account: number; readonly seats: number; readonly at: string }[] = [];
  readonly #held = new Map<number, number>();

  hold(_permit: Permit, account: number, seats: number, at: string): void {
    this.writes.push({ account, seats, at });
    this.#held.set(account, seats);
  }

  get held(): number {
    return [...this.#held.values()].reduce((sum, seats) => sum + seats, 0);
  }
}

const ALL = 6;

class HoldSeats {
  readonly #ports: { readonly seats: Seats; readonly clock: Clock };

  constructor(ports: { readonly seats: Seats; readonly clock: Clock }) {
    this.#ports = ports;
  }

  async execute(
    account: number,
    wanted: number,
    permit: Promise<Permit>,
  ): Promise<Outcome<{ readonly seats: number }, 'no_seats_left'>> {
    const { seats, clock } = this.#ports;
    const left = ALL - seats.held;
    if (wanted > left) return refuse('no_seats_left', { data: { left } });
    seats.hold(await permit, account, wanted, clock.now());
    return ok({ seats: wanted });
  }
}

type UseCases = { readonly seats: Seats; readonly holdSeats: HoldSeats };

/** An area of a team's own: its endpoints, its documentation, its port and its use case. */
export const seatsArea = ownArea({
  parts: { seats: () => new Seats(), holdSeats: part(HoldSeats) },
  endpoints,
  documentation: () => import('./documentation.ts'),
  handlers: (use: UseCases) => ({
    holdSeats: ({ caller, body, permit }) => use.holdSeats.execute(caller.account_id, body.seats, permit),
    countSeats: async () => ok({ held: use.seats.held }),
  }),
});
