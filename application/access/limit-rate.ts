import { ANYONE } from '../../domain/access/principal.ts';
import {
  type AddressCounter,
  addressLimit,
  type Owner,
  type OwnLimit,
  ownerName,
  ownerOf,
  type RateLimitSettings,
  type RateVerdict,
  rateCounter,
  rateVerdict,
  rateWindow,
  STREAMS_AT_ONCE,
  streamWindow,
} from '../../domain/access/rate-limit.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { RateLimits } from '../../ports/outbound/requests.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { Contention } from '../shared/contended.ts';

type Ports = Needs<'clock' | 'rateLimits'> & { settings: RateLimitSettings };

/**
 * Counts a request against its owner's limit for the clock minute, and decides whether it exceeds the limit. While the
 * store can't count, a request is refused once the requests known to this process exceed the limit. Until then, a
 * caller with a credential passes, because the limit only shares out the load. An address does not: its limit also
 * bounds guessing, so the request fails.
 */
export const limitRate = ({ rateLimits, clock, settings }: Ports) => {
  const seen = new SeenRequests();

  const count = async (owner: Owner, own?: OwnLimit): Promise<RateVerdict> => {
    const window = rateWindow(clock.now());
    const { name, limit } = rateCounter(owner, settings, own);
    const counted = await rateLimits.hit(name, window.id, window.resets_at + 60).catch((fault: unknown) => {
      if (owner.kind === 'address') throw fault;
      return null;
    });
    if (counted !== null) seen.count(name, window.id, counted);
    else seen.miss(name, window.id);
    // This includes requests that the store could not count. An earlier call that returned a higher count belongs to a
    // later request.
    const least = counted === null ? seen.least(name, window.id) : counted + seen.missed(name, window.id);
    if (counted !== null || least > limit || owner.kind !== 'address') return rateVerdict(least, limit, window);
    throw new Contention('Too many requests at once; try again.');
  };

  /**
   * The verdict on an owner known to be over its limit in the current window; undefined for any other. It needs no
   * look-up and counts nothing: the request is refused before its body is read, and a flood doesn't reach the store.
   */
  const spent = (owner: Owner, own?: OwnLimit): RateVerdict | undefined => {
    const now = rateWindow(clock.now());
    const { name, limit } = rateCounter(owner, settings, own);
    return seen.least(name, now.id) > limit ? rateVerdict(limit + 1, limit, now) : undefined;
  };

  return { count, spent };
};

export type LimitRate = ReturnType<typeof limitRate>;

/** The number of a counter's requests that the store counted, and of those that it was too busy to count. */
type RequestCounts = { readonly counted: number; readonly missed: number };

/** The maximum number of counters to remember. For any further one, a request over its limit costs a lookup. */
const REMEMBERED = 100_000;

const NONE: RequestCounts = { counted: 0, missed: 0 };

/**
 * The requests of the current window known to this process, by counter name. The store's count only grows within its
 * window, so the known number is never too high. Keeps the 100,000 most recently used counters.
 */
export class SeenRequests {
  #window = 0;
  readonly #counters = new Map<string, RequestCounts>();

  /** The minimum number of requests on the counter in the window. */
  least(name: string, window: number): number {
    const { counted, missed } = this.#get(name, window);
    return counted + missed;
  }

  /** The requests in the window that the store was too busy to count. */
  missed(name: string, window: number): number {
    return this.#get(name, window).missed;
  }

  count(name: string, window: number, counted: number): void {
    this.#note(name, window, (seen) => ({ ...seen, counted: Math.max(seen.counted, counted) }));
  }

  /** Records a request that the store was too busy to count. */
  miss(name: string, window: number): void {
    this.#note(name, window, (seen) => ({ ...seen, missed: seen.missed + 1 }));
  }

  #get(name: string, window: number): RequestCounts {
    return (window === this.#window && this.#counters.get(name)) || NONE;
  }

  #note(name: string, window: number, change: (seen: RequestCounts) => RequestCounts): void {
    // The result of a slow count may belong to the previous window.
    if (window === this.#window - 1) return;
    if (window !== this.#window) this.#counters.clear();
    this.#window = window;
    const seen = change(this.#counters.get(name) ?? NONE);
    // A map keeps its insertion order, so the first counter is the least recently used one.
    this.#counters.delete(name);
    this.#counters.set(name, seen);
    if (this.#counters.size > REMEMBERED) this.#counters.delete(this.#counters.keys().next().value as string);
  }
}

/**
 * Counts a request against its IP address, and returns the verdict. An address known to be over its limit costs no
 * look-up and is not counted again.
 */
export const limitAddress = ({
  limitRate,
  settings,
}: {
  readonly limitRate: LimitRate;
  readonly settings: RateLimitSettings;
}) => {
  return async function limitAddress(counter: AddressCounter, address: () => string): Promise<RateVerdict> {
    const owner: Owner = ownerOf(ANYONE, address);
    const own = addressLimit(counter, settings);
    return limitRate.spent(owner, own) ?? limitRate.count(owner, own);
  };
};

export type LimitAddress = ReturnType<typeof limitAddress>;

/** Ends the count of a stream. It never rejects. */
export type EndStream = () => Promise<void>;

/**
 * Limits the concurrent streams of one owner, because each keeps a function instance busy.
 *
 * Counts a new stream; undefined refuses it. A stream whose end was not recorded, because its instance died or the
 * store did not answer, counts until the end of its quarter hour.
 */
export const limitStreams = ({ rateLimits, clock }: { readonly rateLimits: RateLimits; readonly clock: Clock }) =>
  async function limitStreams(owner: Owner): Promise<EndStream | undefined> {
    const { id, ends_at } = streamWindow(clock.now());
    const counter = [`streams#${ownerName(owner)}`, id, ends_at + 60] as const;
    const end: EndStream = () => rateLimits.takeBack(...counter).catch(() => {});
    const count = await rateLimits.hit(...counter);
    // The store refuses to count because the owner floods the counter; nothing was counted, so nothing needs to be
    // undone.
    if (count === null) return undefined;
    if (count <= STREAMS_AT_ONCE) return end;
    await end();
    return undefined;
  };

export type LimitStreams = ReturnType<typeof limitStreams>;
