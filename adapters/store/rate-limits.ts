import type { RateLimits } from '../../ports/outbound/rate-limits.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

export class StoredRateLimits implements RateLimits {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  hit(subject: string, window: number, expiresAt: number): Promise<number> {
    return this.#table.increment(keys.requestCount(subject, window), 1, { expires_at: expiresAt, volatile: true });
  }
}
