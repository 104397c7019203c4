import { ANYONE, type Owner, ownerName, ownerOf } from '../../domain/access/principal.ts';
import {
  type RateVerdict,
  rateVerdict,
  rateWindow,
  STREAMS_AT_ONCE,
  streamWindow,
} from '../../domain/access/rate-limit.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { RateLimits } from '../../ports/outbound/requests.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { Contention } from '../shared/contended.ts';

/** Requests per clock minute. */
export type RateLimitSettings = {
  readonly perAccount: number;
  readonly perAgent: number;
  readonly perAddress: number;
  /** Files that one address may ask for; 600 where it is absent. */
  readonly filesPerAddress?: number;
};

/** An endpoint with its own counter, and the requests per minute that it allows one owner. */
export type OwnLimit = { readonly endpoint: string; readonly perMinute: number };

type Counter = { readonly name: string; readonly limit: number };

/**
 * Counts a request against its owner's limit for the clock minute, and decides whether it exceeds the limit. Where the
 * store can't count, a request is refused as soon as the requests that this process knows of exceed the limit. Until
 * then nothing proves that its owner is over the limit. A caller who has shown a credential passes, because the count
 * only shares out the load. An address does not: its count also bounds guesses, and the request fails.
 */
export const limitRate = ({
  rateLimits,
  clock,
  settings,
}: Needs<'clock' | 'rateLimits'> & { settings: RateLimitSettings }) => {
  const seen = new SeenRequests();

  const counterOf = (owner: Owner, own: OwnLimit | undefined): Counter => {
    const name = ownerName(owner);
    if (own) return { name: `${own.endpoint}#${name}`, limit: own.perMinute };
    return { name, limit: limitOf(owner, settings) };
  };

  const count = async (owner: Owner, own?: OwnLimit): Promise<RateVerdict> => {
    const window = rateWindow(clock.now());
    const { name, limit } = counterOf(owner, own);
    const counted = await rateLimits.hit(name, window.id, window.resets_at + 60).catch((fault: unknown) => {
      if (owner.kind === 'address') throw fault;
      return null;
    });
    if (counted !== null) seen.count(name, window.id, counted);
    else seen.miss(name, window.id);
    // Requests that the store could not count before count, too. A higher count whose answer came earlier is that of a
    // later request.
    const least = counted === null ? seen.least(name, window.id) : counted + seen.missed(name, window.id);
    if (counted !== null || least > limit || owner.kind !== 'address') return rateVerdict(least, limit, window);
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

const limitOf = (owner: Owner, { perAccount, perAgent, perAddress }: RateLimitSettings): number => {
  switch (owner.kind) {
    case 'account':
      return owner.requests_per_minute ?? perAccount;
    case 'agent':
      return perAgent;
    case 'address':
      return perAddress;
  }
};

/** Requests of a counter: as many as the store counted, and those that it was too busy to count. */
type RequestCounts = { readonly counted: number; readonly missed: number };

/** The most counters to remember. A request of a further owner over its limit costs a look-up. */
const REMEMBERED = 100_000;

const NONE: RequestCounts = { counted: 0, missed: 0 };

/**
 * The requests of the current window that this process knows of, by the name of their counter. A count of the store
 * only grows within its window, so that the number known here is never too high. It remembers the 100,000 counters that
 * were used last.
 */
export class SeenRequests {
  #window = 0;
  readonly #counters = new Map<string, RequestCounts>();

  /** The least number of requests that the counter has got in the window. */
  least(name: string, window: number): number {
    const { counted, missed } = this.#get(name, window);
    return counted + missed;
  }

  /** The number of requests that the store was too busy to count in the window. */
  missed(name: string, window: number): number {
    return this.#get(name, window).missed;
  }

  count(name: string, window: number, counted: number): void {
    this.#note(name, window, (seen) => ({ ...seen, counted: Math.max(seen.counted, counted) }));
  }

  /** Notes a request that the store was too busy to count. */
  miss(name: string, window: number): void {
    this.#note(name, window, (seen) => ({ ...seen, missed: seen.missed + 1 }));
  }

  #get(name: string, window: number): RequestCounts {
    return (window === this.#window && this.#counters.get(name)) || NONE;
  }

  #note(name: string, window: number, change: (seen: RequestCounts) => RequestCounts): void {
    // A count that took long may belong to the window before.
    if (window < this.#window) return;
    if (window > this.#window) this.#counters.clear();
    this.#window = window;
    const seen = change(this.#counters.get(name) ?? NONE);
    // A map keeps its order of insertion, so that the first counter is the one that was used least recently.
    this.#counters.delete(name);
    this.#counters.set(name, seen);
    if (this.#counters.size > REMEMBERED) this.#counters.delete(this.#counters.keys().next().value as string);
  }
}

/**
 * The counters of a network address: `calls` counts the calls without a valid key and the paths that no endpoint has;
 * `files` counts downloads, uploads, images and the parts of pages, of which one page loads dozens.
 */
export type AddressCounter = 'calls' | 'files';

/** Files that an address may ask for in a clock minute, where the settings name no number. */
export const FILES_PER_MINUTE = 600;

/**
 * Counts a request against the network address that it comes from, and gives the verdict. An address known to be over
 * its limit costs no look-up and is not counted again.
 */
export const limitAddress = ({
  limitRate,
  settings,
}: {
  readonly limitRate: LimitRate;
  readonly settings: RateLimitSettings;
}) => {
  const files: OwnLimit = { endpoint: 'files', perMinute: settings.filesPerAddress ?? FILES_PER_MINUTE };
  return async function limitAddress(counter: AddressCounter, address: () => string): Promise<RateVerdict> {
    const owner: Owner = ownerOf(ANYONE, address);
    const own = counter === 'files' ? files : undefined;
    return limitRate.spent(owner, own) ?? limitRate.count(owner, own);
  };
};

export type LimitAddress = ReturnType<typeof limitAddress>;

/** Ends the count of a stream. It never rejects. */
export type EndStream = () => Promise<void>;

/**
 * Bounds the streams that one owner holds at once, where each of them keeps an instance of a function busy.
 *
 * Counts a stream that begins. Undefined refuses it. A stream whose end is not counted, because its instance died or
 * the store did not answer, counts until the quarter of an hour is over.
 */
export const limitStreams = ({ rateLimits, clock }: { readonly rateLimits: RateLimits; readonly clock: Clock }) =>
  async function limitStreams(owner: Owner): Promise<EndStream | undefined> {
    const { id, ends_at } = streamWindow(clock.now());
    const counter = [`streams#${ownerName(owner)}`, id, ends_at + 60] as const;
    const end: EndStream = () => rateLimits.takeBack(...counter).catch(() => {});
    const count = await rateLimits.hit(...counter);
    // A counter that takes no more is flooded by its owner, and has counted nothing to take back.
    if (count === null) return undefined;
    if (count <= STREAMS_AT_ONCE) return end;
    await end();
    return undefined;
  };

export type LimitStreams = ReturnType<typeof limitStreams>;
