import { checkIncrement, checkKeys, checkWrites, type Key } from './table.ts';

/**
 * A whole table, read and written for moving it to another engine or keeping a copy. An engine is right when it passes
 * `test/contracts/table-dump.ts`.
 */
export interface TableDump {
  /**
   * One page of everything the table holds, items and counters, without what had expired by `liveAt` (Unix seconds).
   * The order is the engine's own and stays the same, so that a reader who was stopped goes on from the last `next`.
   * What is written meanwhile may or may not come; what is left alone comes once. A page holds little enough for memory.
   */
  dump(liveAt: number, after?: string): Promise<EntryPage>;

  /**
   * Writes up to 100 entries with different keys over whatever is there; doing it again changes nothing more. Items get
   * new versions, counters the very sum. Each entry is written whole; a failure may leave some of them written.
   */
  restore(entries: readonly Entry[]): Promise<void>;

  /** About how many entries there are, to tell how far a dump is; quick, and never exact while others write. */
  countEntries(): Promise<number>;
}

export type ItemEntry = Key & { readonly data: object; readonly expires_at?: number | undefined };

export type CounterEntry = Key & { readonly counter: number; readonly expires_at?: number | undefined };

export type Entry = ItemEntry | CounterEntry;

export type EntryPage = {
  readonly entries: readonly Entry[];
  /** Absent on the last page. Where it is there, the pages after it may be empty. */
  readonly next?: string | undefined;
};

/** A page ends with the entry that brings its data to this many bytes, or with the thousandth. */
export const PAGE_BYTES = 1024 * 1024;
export const PAGE_ENTRIES = 1000;

export const isCounter = (entry: Entry): entry is CounterEntry => 'counter' in entry;

/** True where an entry has not expired by `liveAt`. */
export const isLiveAt = ({ expires_at }: { readonly expires_at?: number | undefined }, liveAt: number): boolean =>
  expires_at === undefined || expires_at >= liveAt;

/** What every engine asks of entries before it writes one of them; throws as `Table` does. */
export const checkEntries = (entries: readonly Entry[]): void => {
  checkKeys(entries);
  for (const entry of entries) {
    if (!isCounter(entry)) checkWrites([{ put: entry }]);
    else checkIncrement(entry, entry.counter, entry.expires_at === undefined ? {} : { expires_at: entry.expires_at });
  }
};

/** A place in the order that items come in before counters, each by partition and sort key. */
export type Position = readonly [kind: 'item' | 'counter', pk: string, sk: string];

export const START: Position = ['item', '', ''];

/** `next` of a page as a place, and the other way; for the engines that dump in that order. */
export const positionOf = (after: string | undefined): Position =>
  after === undefined ? START : (JSON.parse(after) as Position);

export const nextOf = (position: Position): string => JSON.stringify(position);
