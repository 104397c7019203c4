import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';

/** The clock minute that a request falls into. */
export type RateWindow = {
  readonly id: number;
  /** Unix seconds at which it ends. */
  readonly resets_at: number;
  /** Whole seconds until then, 1 to 60. */
  readonly left: number;
};

export const rateWindow = (now: Instant): RateWindow => {
  const moment = millis(now);
  const id = Math.floor(moment / MINUTE_MS);
  const end = (id + 1) * MINUTE_MS;
  return { id, resets_at: end / 1000, left: Math.ceil((end - moment) / 1000) };
};

export type RateVerdict = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly resets_at: number;
  /** Whole seconds until then, 1 to 60. */
  readonly retry_after: number;
};

/** The verdict on the request that made the window's counter reach `count`. */
export const rateVerdict = (count: number, limit: number, { resets_at, left }: RateWindow): RateVerdict => ({
  allowed: count <= limit,
  limit,
  remaining: Math.max(0, limit - count),
  resets_at,
  retry_after: left,
});
