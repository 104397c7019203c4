import { type Owner, ownerName } from '../../domain/access/owner.ts';
import { type RateVerdict, rateVerdict, rateWindow } from '../../domain/access/rate-limit.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { Contention } from '../shared/contended.ts';
import { SeenRequests } from './seen-requests.ts';

/** Requests per clock minute. */
export type RateLimitSettings = {
  readonly perAccount: number;
  readonly perAgent: number;
  readonly perAddress: number;
  /** Files that one address may ask for; 600 where it is absent. */
  readonly filesPerAddress?: number;
};

export type Ports = Needs<'clock' | 'rateLimits'> & { settings: RateLimitSettings };

/** An endpoint with its own counter, and the requests per minute that it allows one owner. */
export type OwnLimit = { readonly endpoint: string; readonly perMinute: number };

type Counter = { readonly name: string; readonly limit: number };

/**
 * Counts a request against its owner's limit for the clock minute, and decides whether it exceeds the limit. Where the
 * store is too busy to count, a request is refused as soon as the requests that this process knows of exceed the limit.
 * Until then nothing proves that its owner is over the limit, because the store may be busy with others: the request
 * fails with Contention, at once.
 */
export const limitRate = ({ rateLimits, clock, settings }: Ports) => {
  const seen = new SeenRequests();

  const counterOf = (owner: Owner, own: OwnLimit | undefined): Counter => {
    const name = ownerName(owner);
    if (own) return { name: `${own.endpoint}#${name}`, limit: own.perMinute };
    return { name, limit: limitOf(owner, settings) };
  };

  const count = async (owner: Owner, own?: OwnLimit): Promise<RateVerdict> => {
    const window = rateWindow(clock.now());
    const { name, limit } = counterOf(owner, own);
    const counted = await rateLimits.hit(name, window.id, window.resets_at + 60);
    if (counted !== null) {
      seen.count(name, window.id, counted);
      return rateVerdict(counted, limit, window);
    }
    seen.miss(name, window.id);
    const least = seen.least(name, window.id);
    if (least > limit) return rateVerdict(least, limit, window);
    throw new Contention('Too many requests at once; try again.');
  };

  /**
   * The verdict on an owner that this process has seen over its limit in the current window; undefined for any other.
   * It costs no look-up and counts nothing, so that the request is refused before its body is read, and a flood costs
   * the store nothing.
   */
  const spent = (owner: Owner, own?: OwnLimit): RateVerdict | undefined => {
    const now = rateWindow(clock.now());
    const { name, limit } = counterOf(owner, own);
    return seen.least(name, now.id) > limit ? rateVerdict(limit + 1, limit, now) : undefined;
  };

  return { count, spent };
};

export type LimitRate = ReturnType<typeof limitRate>;

const limitOf = ({ kind }: Owner, { perAccount, perAgent, perAddress }: RateLimitSettings): number => {
  switch (kind) {
    case 'account':
      return perAccount;
    case 'agent':
      return perAgent;
    case 'address':
      return perAddress;
  }
};
