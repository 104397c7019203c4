import type { Permit } from '../../domain/access/permit.ts';
import type { DailyBound } from '../../domain/shared/daily-bound.ts';
import type { Instant } from '../../domain/shared/instant.ts';

/**
 * The counts of what owners use of their daily bounds. The day is that of `now` (UTC). A count may lose its last
 * moments in a power failure.
 */
export interface DailyBounds {
  /** True where the owner's count has reached the bound. Requests that run at the same time may exceed it together. */
  isReached(bound: DailyBound, owner: string, now: Instant): Promise<boolean>;
  /**
   * Adds to the owner's count and returns the sum. One atomic step, and another one where the sum reaches the bound.
   */
  count(permit: Permit, bound: DailyBound, owner: string, by: number, now: Instant): Promise<number>;
}
