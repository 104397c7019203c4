import { type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { storeClockKey } from './keys/store.ts';
import { itemOf } from './records.ts';
import type { TypedTable } from './typed-table.ts';

/** A day of the store an hour: a right clock catches up after a stop, and a wrong one is noticed before it has deleted much. */
const PACE = 24;

/** The newest moment that the store has seen; undefined if no server has noted one. */
export const newestMoment = async (table: TypedTable): Promise<Instant | undefined> =>
  (await table.get(storeClockKey))?.data.seen_at;

/**
 * Bounds the deletion of expired rows by the newest moment that the store has seen, so that a clock that jumped ahead
 * deletes nothing for the time that it skipped. That moment moves on with the time that truly passes, at most `PACE`
 * times as fast, and never back. Reads judge expiry by the clock alone.
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
   * The milliseconds since 1970 before which an expiry may be acted on. It is 0 until a moment was noted, as in a
   * command, which leaves the deletion to the server.
   */
  readonly horizon = (): number => {
    if (!this.#seen) return 0;
    const { moment, at } = this.#seen;
    return Math.min(this.#now(), moment + PACE * (this.#ticks() - at));
  };

  /** Notes the present moment in the store. Returns the newest one that was noted before. */
  async note(table: TypedTable): Promise<Instant | undefined> {
    const before = await newestMoment(table);
    const moment = before === undefined ? this.#now() : Math.max(millis(before), this.horizon());
    await table.put(itemOf(storeClockKey, { seen_at: toInstant(moment) }));
    this.#seen = { moment, at: this.#ticks() };
    return before;
  }
}
