import type { RateLimits } from '../../ports/outbound/rate-limits.ts';
import { accessKeys } from './keys/access.ts';
import type { Table } from './table.ts';

/** Counts requests in volatile counters, so that a count costs no wait for the disk. */
export class StoredRateLimits implements RateLimits {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  hit(subject: string, window: number, expiresAt: number): Promise<number> {
    return this.#table.increment(accessKeys.requestCount(subject, window), 1, {
      expires_at: expiresAt,
      volatile: true,
    });
  }

  async takeBack(subject: string, window: number, expiresAt: number): Promise<void> {
    await this.#table.increment(accessKeys.requestCount(subject, window), -1, {
      expires_at: expiresAt,
      volatile: true,
    });
  }
}
