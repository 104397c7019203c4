import type { RateLimits } from '../../ports/outbound/rate-limits.ts';
import { accessKeys } from './keys/access.ts';
import { StoreBusy, type Table } from './table.ts';

/** Counts requests in volatile counters, so that a count costs no wait for the disk. */
export class StoredRateLimits implements RateLimits {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async hit(subject: string, window: number, expiresAt: number): Promise<number | null> {
    const options = { expires_at: expiresAt, volatile: true, hurried: true };
    try {
      return await this.#table.increment(accessKeys.requestCount(subject, window), 1, options);
    } catch (error) {
      if (error instanceof StoreBusy) return null;
      throw error;
    }
  }

  async takeBack(subject: string, window: number, expiresAt: number): Promise<void> {
    await this.#table.increment(accessKeys.requestCount(subject, window), -1, {
      expires_at: expiresAt,
      volatile: true,
    });
  }
}
