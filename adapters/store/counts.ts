import { chunksOf } from './chunks.ts';
import type { CounterKey, IncrementOptions, Table } from './table.ts';

/** Counters that are asked for at the same time. */
const AT_ONCE = 20;

/**
 * The counts in the order of their keys; 0 for a counter that nobody has incremented. A table reads a counter only by
 * incrementing it, so this adds 0, and `expires_at` replaces the expiry of each counter.
 */
export const readCounts = async (
  table: Table,
  keys: readonly CounterKey[],
  options: Pick<IncrementOptions, 'expires_at'> = {},
): Promise<number[]> => {
  const counts: number[] = [];
  for (const chunk of chunksOf(keys, AT_ONCE)) {
    const read = chunk.map((key) => table.increment(key, 0, { ...options, volatile: true }));
    counts.push(...(await Promise.all(read)));
  }
  return counts;
};
