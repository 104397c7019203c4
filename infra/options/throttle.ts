import type { Context } from '../context.ts';

/** A token bucket of the gateway: the requests a second that it takes in the long run, and those that may come at once. */
export type Bucket = { readonly rate: number; readonly burst: number };

/**
 * The buckets of a gateway. API Gateway has one bucket for each method of a stage, and all callers share it.
 */
export type Throttle = {
  readonly calls: Bucket;
  /** The bucket of each method whose answer is streamed. */
  readonly streams: Bucket;
};

/**
 * The gateway protects the account's instances and its bill. It does not share out the service among callers: the
 * service's own counters and a WAF do that. So its rate is far above the rate of one caller. For `prod`:
 *
 * - Rate: 2,000 requests a second. At 100 ms each, which is slow, they take 200 of the 1,000 instances that an account
 *   has by default. An hour of that flood costs 7.2 million requests, about $35.
 * - Burst: each request that arrives at once takes an instance, and the account has 1,000.
 * - Streams: a stream takes an instance for as long as it runs, and a function that streams gets 100 instances
 *   (concurrency.ts). A larger burst would only meet functions that are busy.
 */
const DEFAULTS = {
  dev: { calls: { rate: 50, burst: 100 }, streams: { rate: 10, burst: 20 } },
  prod: { calls: { rate: 2000, burst: 1000 }, streams: { rate: 100, burst: 100 } },
} as const satisfies Record<string, Throttle>;

/** The most that API Gateway takes for a setting. The quota of the account is 10,000 by default. */
const BOUNDS = { least: 1, most: 1_000_000 };

export const throttleOf = (context: Context, stage: keyof typeof DEFAULTS): Throttle => {
  const { calls, streams } = DEFAULTS[stage];
  return {
    calls: {
      rate: context.whole('throttleRate', BOUNDS) ?? calls.rate,
      burst: context.whole('throttleBurst', BOUNDS) ?? calls.burst,
    },
    streams: {
      rate: context.whole('streamThrottleRate', BOUNDS) ?? streams.rate,
      burst: context.whole('streamThrottleBurst', BOUNDS) ?? streams.burst,
    },
  };
};
