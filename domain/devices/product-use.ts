import { addDays, dayOf, type Instant } from '../shared/instant.ts';
import type { UsageDay } from './usage.ts';

/** The first and the last use of a product by an account. Each is exact to the day, because it is noted once a day. */
export type ProductUse = {
  readonly product_id: number;
  readonly first_used_at: Instant;
  readonly last_used_at: Instant;
};

/** A use of a product at a moment. */
export type Use = { readonly product_id: number; readonly used_at: Instant };

/** The use of a product with a further one; null where a use of that day (UTC) or a later one is known. */
export const withUse = (known: ProductUse | undefined, { product_id, used_at }: Use): ProductUse | null => {
  if (!known) return { product_id, first_used_at: used_at, last_used_at: used_at };
  return dayOf(used_at) > dayOf(known.last_used_at) ? { ...known, last_used_at: used_at } : null;
};

/**
 * The uses that rows of usage tell of, one for each product: a row with a launch is a use at the end of its day, or now
 * where that day has not ended.
 */
export const usesIn = (days: readonly UsageDay[], now: Instant): Use[] => {
  const latest = new Map<number, Instant>();
  for (const { product_id, usage_date, launches } of days) {
    const ended = addDays(`${usage_date}T00:00:00.000Z`, 1);
    const used_at = ended < now ? ended : now;
    if (launches > 0 && used_at > (latest.get(product_id) ?? '')) latest.set(product_id, used_at);
  }
  return [...latest].map(([product_id, used_at]) => ({ product_id, used_at }));
};
