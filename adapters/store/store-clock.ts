import { type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { storeClockKey } from './keys/store.ts';
import { itemOf } from './records.ts';
import type { TypedTable } from './typed-table.ts';

/**
 * The maximum speed of the store's time: a day per hour. A correct clock catches up after a stop, and a wrong one is
 * noticed before much is deleted.
 */
const PACE = 24;

/** The newest moment that a server has recorded; undefined if there is none. */
export const newestMoment = async (table: TypedTable): Promise<Instant | undefined> =>
  (await table.get(storeClockKey))?.data.seen_at;

/**
 * Bounds the deletion of expired rows by the newest moment that the store has seen, so that a clock that jumps ahead
 * deletes nothing early. That moment advances with the time that has truly passed, at most `PACE` times as fast, and
 * never goes back. Reads compare expiries only with the clock.
 */
export class StoreClock {
  readonly #now: () => number;
  readonly #ticks: () => number;
  #seen: { readonly moment: number; readonly at: number } | undefined;

  constructor(now: () => number = Date.now, ticks: () => number = () => performance.now()) {
    this.#now = now;
    this.#ticks = ticks;
  }

  /**
   * The milliseconds since 1970 before which an expired row may be deleted. It is 0 until a moment is recorded, as in a
   * command, which leaves the deletion to the server.
   */
  readonly horizon = (): number => {
    if (!this.#seen) return 0;
    const { moment, at } = this.#seen;
    return Math.min(this.#now(), moment + PACE * (this.#ticks() - at));
  };

  /** Records the present moment in the store. Returns the newest one recorded before. */
  async note(table: TypedTable): Promise<Instant | undefined> {
    const before = await newestMoment(table);
    const moment = before === undefined ? this.#now() : Math.max(millis(before), this.horizon());
    await table.put(itemOf(storeClockKey, { seen_at: toInstant(moment) }));
    this.#seen = { moment, at: this.#ticks() };
    return before;
  }
}
