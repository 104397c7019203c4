import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';

/** The clock minute that a request falls into. */
export type RateWindow = { readonly id: number /** Unix seconds */; readonly resets_at: number };

export const rateWindow = (now: Instant): RateWindow => {
  const id = Math.floor(millis(now) / MINUTE_MS);
  return { id, resets_at: ((id + 1) * MINUTE_MS) / 1000 };
};

export type RateVerdict = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly resets_at: number;
  /** Whole seconds until then, at least 1. */
  readonly retry_after: number;
};

/** The verdict on the request that made the window's counter reach `count`. */
export const rateVerdict = (count: number, limit: number, now: Instant): RateVerdict => {
  const { resets_at } = rateWindow(now);
  return {
    allowed: count <= limit,
    limit,
    remaining: Math.max(0, limit - count),
    resets_at,
    retry_after: Math.max(1, Math.ceil(resets_at - millis(now) / 1000)),
  };
};
