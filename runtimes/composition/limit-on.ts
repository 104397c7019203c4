import type { Limit } from '../../adapters/host/host.ts';
import { StoredRateLimits } from '../../adapters/store/rate-limits.ts';
import type { Table } from '../../adapters/store/table.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { LimitAddress } from '../../application/access/limit-address.ts';
import { LimitRate, type RateLimitSettings } from '../../application/access/limit-rate.ts';

/** The limiter of addresses by itself, for a function that has no other part of the service. */
export const limitOn = (table: Table, settings: RateLimitSettings): Limit => {
  const limitRate = new LimitRate({ rateLimits: new StoredRateLimits(table), clock: systemClock, settings });
  const limitAddress = new LimitAddress({ limitRate, settings });
  return (counter, address) => limitAddress.execute(counter, address);
};
