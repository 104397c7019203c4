import type { Table } from '../../../adapters/store/table.ts';
import type { TableDump } from '../../../adapters/store/table-dump.ts';
import type { ObjectListing } from '../../../ports/outbound/object-listing.ts';
import type { ObjectStore } from '../../../ports/outbound/object-store.ts';

/** Where a table and objects are kept, opened. */
export type Place = {
  /** As people are told of it; the same for the same place, whatever it was called. */
  readonly name: string;
  readonly table: Table;
  readonly dump: TableDump;
  readonly objects: ObjectStore;
  readonly listing: ObjectListing;
  /** The folder of the signing keys, where they are kept beside the table. */
  readonly keysFolder?: string | undefined;
};

export type Stage = 'Entries' | 'Objects' | 'Bytes' | 'Verifying';

/** Told how far it is. A total may be about right only. */
export type MigrateProgress = (stage: Stage, done: number, total: number) => void;

/** Calls under way at once, to either side. */
export const AT_ONCE = 8;

/** Keys that are named where two sides differ. */
export const NAMED = 5;
