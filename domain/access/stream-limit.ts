import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';

/**
 * The streams that one owner may begin in a quarter of an hour before one of them ends. A stream takes no longer than
 * that (15 minutes, the most that Lambda allows), so that one owner holds twice as many at most: half of the 100
 * instances that a function has by default (infra/options/concurrency.ts).
 */
export const STREAMS_AT_ONCE = 25;

const QUARTER_MS = 15 * MINUTE_MS;

/** Seconds after which an owner with too many streams may ask again. */
export const STREAM_RETRY_SECONDS = 10;

/** The quarter of an hour that a stream begins in, and the Unix time in seconds at which it is over. */
export type StreamWindow = { readonly id: number; readonly ends_at: number };

export const streamWindow = (now: Instant): StreamWindow => {
  const id = Math.floor(millis(now) / QUARTER_MS);
  return { id, ends_at: ((id + 1) * QUARTER_MS) / 1000 };
};
