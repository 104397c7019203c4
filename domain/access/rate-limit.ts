import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';

/** A clock minute, as a request falls into it. */
export type RateWindow = {
  readonly id: number;
  /** Unix seconds at which the minute ends. */
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

/** The verdict on the request that raised the window's counter to `count`. */
export const rateVerdict = (count: number, limit: number, { resets_at, left }: RateWindow): RateVerdict => ({
  allowed: count <= limit,
  limit,
  remaining: Math.max(0, limit - count),
  resets_at,
  retry_after: left,
});

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * The counter name for an address. An IPv4 address counts as itself, also in its IPv6-mapped form (RFC 4291, section
 * 2.5.5.2). An IPv6 address counts as its first 64 bits, because one site has all addresses that share them, and could
 * use a different one for each request (RFC 6177; RFC 4291, section 2.5.4).
 */
export const countedAddress = (address: string): string => {
  const [, ipv4] = MAPPED.exec(address) ?? [];
  if (ipv4 !== undefined || !address.includes(':')) return ipv4 ?? address;
  const [before = '', after] = address.split('::', 2);
  const groups = before === '' ? [] : before.split(':');
  const rest = after ? after.split(':') : [];
  const zeros = after === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...rest];
  const network = all.slice(0, 4).map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
};

/**
 * The streams that one owner may start in a quarter of an hour. A stream lasts at most 15 minutes (Lambda's limit), so
 * one owner has at most twice as many open: half of the 100 instances that a function has by default
 * (infra/options/concurrency.ts).
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
