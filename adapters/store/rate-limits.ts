import type { Permit } from '../../domain/access/permit.ts';
import type { DailyBound } from '../../domain/shared/daily-bound.ts';
import { dayOf, type Instant } from '../../domain/shared/instant.ts';
import type { DailyBounds, RateLimits } from '../../ports/outbound/requests.ts';
import { expiryOfDay } from './expiry.ts';
import { accessKeys } from './keys/access.ts';
import { itemOf } from './records.ts';
import { OnTable } from './repository.ts';
import { StoreBusy } from './table.ts';

/** Counts requests in volatile counters, so that counting does not wait for the disk. */
export class StoredRateLimits extends OnTable implements RateLimits {
  async hit(subject: string, window: number, expiresAt: number): Promise<number | null> {
    const options = { expires_at: expiresAt, volatile: true, hurried: true };
    try {
      return await this.table.increment(accessKeys.requestCount(subject, window), 1, options);
    } catch (error) {
      if (error instanceof StoreBusy) return null;
      throw error;
    }
  }

  async takeBack(subject: string, window: number, expiresAt: number): Promise<void> {
    await this.table.increment(accessKeys.requestCount(subject, window), -1, {
      expires_at: expiresAt,
      volatile: true,
    });
  }
}

/**
 * A counter for each bound, owner and day, and an item for each bound that was reached. A counter can be read only by a
 * write, so requests read the item instead, in parallel with their guards.
 */
export class StoredDailyBounds extends OnTable implements DailyBounds {
  async isReached({ name }: DailyBound, owner: string, now: Instant): Promise<boolean> {
    return (await this.table.get(accessKeys.reachedBound(name, owner, dayOf(now)))) !== undefined;
  }

  async count(_permit: Permit, { name, most }: DailyBound, owner: string, by: number, now: Instant): Promise<number> {
    const day = dayOf(now);
    const expires_at = expiryOfDay(now);
    const sum = await this.table.increment(accessKeys.dailyCount(name, owner, day), by, {
      expires_at,
      volatile: true,
    });
    const reached = sum >= most && sum - by < most;
    if (reached) await this.table.put(itemOf(accessKeys.reachedBound(name, owner, day), { sum }, expires_at));
    return sum;
  }
}
