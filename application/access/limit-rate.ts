import { type RateVerdict, rateVerdict, rateWindow } from '../../domain/access/rate-limit.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { RateLimits } from '../../ports/outbound/rate-limits.ts';

/** Requests per clock minute. */
export type RateLimitSettings = { readonly perAccount: number; readonly perAddress: number };

type Ports = { rateLimits: RateLimits; clock: Clock; settings: RateLimitSettings };

/** Counts a request: against the account that its key belongs to, or without a valid key against its address. */
export class LimitRate {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(subject: { account: number } | { address: string }): Promise<RateVerdict> {
    const { rateLimits, clock, settings } = this.#ports;
    const window = rateWindow(clock.now());
    const [name, limit] =
      'account' in subject
        ? [`ACCOUNT#${subject.account}`, settings.perAccount]
        : [`ADDRESS#${subject.address}`, settings.perAddress];
    return rateVerdict(await rateLimits.hit(name, window.id, window.resets_at + 60), limit, window);
  }
}
