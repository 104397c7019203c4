import type { Key } from './table.ts';
import { checkIncrement, checkKeys, checkWrites } from './table-checks.ts';

/**
 * Reads and writes a whole table, to move it to another engine or to back it up. An engine is correct if it passes
 * `test/contracts/table-dump.ts`.
 */
export interface TableDump {
  /**
   * One page of the items and counters that have not expired by `liveAt` (Unix seconds). The engine chooses a stable
   * order, so that an interrupted reader continues from the last `next`. An entry that is written meanwhile may or may
   * not be included; every other entry is included once. A page fits into memory.
   */
  dump(liveAt: number, after?: string): Promise<EntryPage>;

  /**
   * Writes up to 100 entries with different keys over existing ones. Repeating the call leaves the same data. Each item
   * gets a new version, each counter exactly its sum. Each entry is written whole; a failure may leave only some of
   * them written.
   */
  restore(entries: readonly Entry[]): Promise<void>;

  /** The approximate number of entries, to show the progress of a dump. It is fast, and inexact while others write. */
  countEntries(): Promise<number>;
}

export type ItemEntry = Key & { readonly data: object; readonly expires_at?: number | undefined };

export type CounterEntry = Key & { readonly counter: number; readonly expires_at?: number | undefined };

export type Entry = ItemEntry | CounterEntry;

export type EntryPage = {
  readonly entries: readonly Entry[];
  /** Absent on the last page. If it is present, the following pages may still be empty. */
  readonly next?: string | undefined;
};

/** A page of a dump ends with the entry that brings its data to `PAGE_BYTES`, or with the thousandth entry. */
export const PAGE_ENTRIES = 1000;

/** True for a counter, false for an item. */
export const isCounter = (entry: Entry): entry is CounterEntry => 'counter' in entry;

/** True if an entry has not expired by `liveAt`. */
export const isLiveAt = ({ expires_at }: { readonly expires_at?: number | undefined }, liveAt: number): boolean =>
  expires_at === undefined || expires_at >= liveAt;

/** Every entry that has not expired by `liveAt`, page after page. */
export async function* allEntries(table: Pick<TableDump, 'dump'>, liveAt: number): AsyncGenerator<Entry> {
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const page = await table.dump(liveAt, after);
    yield* page.entries;
    after = page.next;
  }
}

/** Checks entries before an engine writes any of them. Throws as the checks of `Table` do. */
export const checkEntries = (entries: readonly Entry[]): void => {
  checkKeys(entries);
  for (const entry of entries) {
    if (!isCounter(entry)) checkWrites([{ put: entry }]);
    else checkIncrement(entry, entry.counter, entry.expires_at === undefined ? {} : { expires_at: entry.expires_at });
  }
};

/** A position in the order of a dump: items before counters, each by partition and sort key. */
export type Position = readonly [kind: 'item' | 'counter', pk: string, sk: string];

const START: Position = ['item', '', ''];

/** The position in a page's `next`, for engines that dump in that order. */
export const positionOf = (after: string | undefined): Position =>
  after === undefined ? START : (JSON.parse(after) as Position);

/** The `next` of a page that ends at a position. */
export const nextOf = (position: Position): string => JSON.stringify(position);
