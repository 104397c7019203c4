import type { CounterEntry, Entry } from '../store/table-dump.ts';
import type { Partition } from './partition.ts';

/** Every item and counter as an entry of a dump, in no order. */
export function* entriesOf(partitions: Iterable<Partition>, counters: Iterable<CounterEntry>): Generator<Entry> {
  for (const partition of partitions) {
    for (const { version: _, ...entry } of partition.items()) yield entry;
  }
  for (const { expires_at, ...counter } of counters) {
    yield { ...counter, ...(expires_at !== undefined && { expires_at }) };
  }
}
