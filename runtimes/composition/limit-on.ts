import type { Limit } from '../../adapters/host/host.ts';
import { StoredRateLimits } from '../../adapters/store/rate-limits.ts';
import type { Table } from '../../adapters/store/table.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { limitAddress, limitRate, type RateLimitSettings } from '../../application/access/limit-rate.ts';

/** The limiter of addresses by itself, for a function that has no other part of the service. */
export const limitOn = (table: Table, settings: RateLimitSettings): Limit => {
  const rateLimits = new StoredRateLimits(table);
  return limitAddress({ limitRate: limitRate({ rateLimits, clock: systemClock, settings }), settings });
};
