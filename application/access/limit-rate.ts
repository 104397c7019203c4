import { type Owner, ownerName } from '../../domain/access/owner.ts';
import { type RateVerdict, type RateWindow, rateVerdict, rateWindow } from '../../domain/access/rate-limit.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { RateLimits } from '../../ports/outbound/rate-limits.ts';

/** Requests per clock minute. */
export type RateLimitSettings = {
  readonly perAccount: number;
  readonly perAgent: number;
  readonly perAddress: number;
  /** Files that one address may ask for; 600 where it is absent. */
  readonly filesPerAddress?: number;
};

type Ports = { rateLimits: RateLimits; clock: Clock; settings: RateLimitSettings };

/** An endpoint with its own counter, and the requests per minute that it allows one owner. */
export type OwnLimit = { readonly endpoint: string; readonly perMinute: number };

type Counter = { readonly name: string; readonly limit: number };

/** The most counters to remember. A request of a further owner over its limit costs a look-up. */
const REMEMBERED = 100_000;

/** Counts a request against its owner's limit for the clock minute, and decides whether it exceeds the limit. */
export class LimitRate {
  readonly #ports: Ports;
  /** The counters that are used up in `window`. */
  readonly #spent = { window: 0, names: new Set<string>() };

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(owner: Owner, own?: OwnLimit): Promise<RateVerdict> {
    const { rateLimits, clock } = this.#ports;
    const window = rateWindow(clock.now());
    const { name, limit } = this.#counterOf(owner, own);
    const verdict = rateVerdict(await rateLimits.hit(name, window.id, window.resets_at + 60), limit, window);
    if (!verdict.allowed) this.#remember(name, window);
    return verdict;
  }

  /**
   * The verdict on an owner that this process has seen over its limit in the current window; undefined for any other.
   * It costs no look-up and counts nothing, so that the request is refused before its body is read.
   */
  spent(owner: Owner, own?: OwnLimit): RateVerdict | undefined {
    const { window, names } = this.#spent;
    if (names.size === 0) return undefined;
    const now = rateWindow(this.#ports.clock.now());
    const { name, limit } = this.#counterOf(owner, own);
    return window === now.id && names.has(name) ? rateVerdict(limit + 1, limit, now) : undefined;
  }

  #remember(name: string, { id }: RateWindow): void {
    // A count that took long may belong to the minute before.
    if (id < this.#spent.window) return;
    if (this.#spent.window !== id) {
      this.#spent.window = id;
      this.#spent.names.clear();
    }
    if (this.#spent.names.size < REMEMBERED) this.#spent.names.add(name);
  }

  #counterOf(owner: Owner, own: OwnLimit | undefined): Counter {
    const { settings } = this.#ports;
    const name = ownerName(owner);
    if (own) return { name: `${own.endpoint}#${name}`, limit: own.perMinute };
    return { name, limit: limitOf(owner, settings) };
  }
}

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
