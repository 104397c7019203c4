import type { Allowance } from '../accounts/account.ts';
import { type Instant, MINUTE_MS, millis } from '../shared/instant.ts';
import type { Principal } from './principal.ts';

/** The clock minute of a request. */
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
 * 2.5.5.2). An IPv6 address counts as its first 64 bits, because one site owns all addresses with that prefix and could
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

/** The party that a rate limit or an Idempotency-Key belongs to: an account, an agent, a member, or an address. */
export type Owner =
  | (Allowance & { readonly kind: 'account'; readonly id: number })
  | { readonly kind: 'agent' | 'member'; readonly id: number }
  | { readonly kind: 'address'; readonly address: string };

/**
 * The owner of a request. All credentials of an account share one owner. A caller without a credential is counted by
 * address, which is read only then.
 */
export const ownerOf = (principal: Principal, address: () => string): Owner => {
  switch (principal.kind) {
    case 'account':
      return { kind: 'account', id: principal.account_id, requests_per_minute: principal.requests_per_minute };
    case 'agent':
      return { kind: 'agent', id: principal.id };
    case 'member':
      return { kind: 'member', id: principal.account_id };
    case 'anyone':
      return { kind: 'address', address: address() };
  }
};

/** A text that is unique to the owner. */
export const ownerName = (owner: Owner): string =>
  owner.kind === 'address' ? `ADDRESS#${countedAddress(owner.address)}` : `${owner.kind.toUpperCase()}#${owner.id}`;

/** Requests per clock minute. */
export type RateLimitSettings = {
  readonly perAccount: number;
  readonly perAgent: number;
  readonly perAddress: number;
  /** Files that one address may request; 600 if absent. */
  readonly filesPerAddress?: number;
};

/** An endpoint with its own counter, and the requests per minute that it allows one owner. */
export type OwnLimit = { readonly endpoint: string; readonly perMinute: number };

const limitOf = (owner: Owner, { perAccount, perAgent, perAddress }: RateLimitSettings): number => {
  switch (owner.kind) {
    case 'account':
      return owner.requests_per_minute ?? perAccount;
    case 'agent':
    case 'member':
      return perAgent;
    case 'address':
      return perAddress;
  }
};

/**
 * The counter of an owner's requests with its limit per minute. An endpoint with its own limit has its own counters.
 */
export const rateCounter = (owner: Owner, settings: RateLimitSettings, own: OwnLimit | undefined) =>
  own
    ? { name: `${own.endpoint}#${ownerName(owner)}`, limit: own.perMinute }
    : { name: ownerName(owner), limit: limitOf(owner, settings) };

/**
 * The counters of an IP address: `calls` counts calls without a valid key and unknown paths; `bulk` counts
 * downloads, uploads, images and page assets, of which one page loads dozens.
 */
export type AddressCounter = 'calls' | 'bulk';

/** The default number of files that an address may request in a clock minute. */
export const FILES_PER_MINUTE = 600;

/** The counter's own limit for an address; undefined for `calls`, which use the limit of the address. */
export const addressLimit = (counter: AddressCounter, { filesPerAddress }: RateLimitSettings): OwnLimit | undefined =>
  counter === 'bulk' ? { endpoint: 'files', perMinute: filesPerAddress ?? FILES_PER_MINUTE } : undefined;

/** The counter of an address for a path of the pages. */
export const pageCounter = (path: string): AddressCounter => (path.startsWith('/assets/') ? 'bulk' : 'calls');

/**
 * The streams that one owner may start in a quarter of an hour. A stream lasts at most 15 minutes (Lambda's limit), so
 * one owner has at most twice as many open: half of the 100 instances that a function has by default
 * (infra/options/concurrency.ts).
 */
export const STREAMS_AT_ONCE = 25;

const QUARTER_MS = 15 * MINUTE_MS;

/** The Retry-After for an owner with too many streams, in seconds. */
export const STREAM_RETRY_SECONDS = 10;

/** The quarter-hour in which a stream begins: its number since 1970, and its end in Unix seconds. */
export type StreamWindow = { readonly id: number; readonly ends_at: number };

export const streamWindow = (now: Instant): StreamWindow => {
  const id = Math.floor(millis(now) / QUARTER_MS);
  return { id, ends_at: ((id + 1) * QUARTER_MS) / 1000 };
};
