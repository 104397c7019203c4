import type { Permit } from '../../domain/access/permit.ts';
import type { DailyBound } from '../../domain/shared/daily-bound.ts';
import { dayOf, type Instant } from '../../domain/shared/instant.ts';
import type { DailyBounds } from '../../ports/outbound/daily-bounds.ts';
import { expiryOfDay } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { accessKeys } from './keys/access.ts';
import type { Table } from './table.ts';

/**
 * A counter for each bound, owner and day, and an item that marks a bound that was reached. The item lets a request
 * read beside its gates whether the bound is reached, because a counter is read only by a write.
 */
export class StoredDailyBounds implements DailyBounds {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async isReached({ name }: DailyBound, owner: string, now: Instant): Promise<boolean> {
    return (await this.#table.get(accessKeys.reachedBound(name, owner, dayOf(now)))) !== undefined;
  }

  async count(_permit: Permit, { name, most }: DailyBound, owner: string, by: number, now: Instant): Promise<number> {
    const day = dayOf(now);
    const expires_at = expiryOfDay(now);
    const sum = await this.#table.increment(accessKeys.dailyCount(name, owner, day), by, {
      expires_at,
      volatile: true,
    });
    const reached = sum >= most && sum - by < most;
    if (reached) await this.#table.put(itemOf(accessKeys.reachedBound(name, owner, day), { sum }, expires_at));
    return sum;
  }
}
