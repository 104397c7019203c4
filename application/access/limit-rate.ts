import { countedAddress, type RateVerdict, rateVerdict, rateWindow } from '../../domain/access/rate-limit.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { RateLimits } from '../../ports/outbound/rate-limits.ts';

/** Requests per clock minute. */
export type RateLimitSettings = { readonly perAccount: number; readonly perAddress: number };

type Ports = { rateLimits: RateLimits; clock: Clock; settings: RateLimitSettings };

/** Who asks: the account that a key belongs to, or without a valid key an address. */
export type RateSubject =
  | { readonly account: number }
  | {
      readonly address: string;
      /** An endpoint that counts for itself, and what it allows. */
      readonly own?: { readonly endpoint: string; readonly perMinute: number } | undefined;
    };

/** Counts a request and tells whether it is one too many. */
export class LimitRate {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(subject: RateSubject): Promise<RateVerdict> {
    const { rateLimits, clock } = this.#ports;
    const window = rateWindow(clock.now());
    const [name, limit] = this.#counter(subject);
    return rateVerdict(await rateLimits.hit(name, window.id, window.resets_at + 60), limit, window);
  }

  #counter(subject: RateSubject): [name: string, limit: number] {
    const { settings } = this.#ports;
    if ('account' in subject) return [`ACCOUNT#${subject.account}`, settings.perAccount];
    const name = `ADDRESS#${countedAddress(subject.address)}`;
    const { own } = subject;
    return own ? [`${own.endpoint}#${name}`, own.perMinute] : [name, settings.perAddress];
  }
}
