import type { Table } from '../../../adapters/store/table.ts';
import type { TableDump } from '../../../adapters/store/table-dump.ts';
import type { ObjectListing } from '../../../ports/outbound/object-listing.ts';
import type { ObjectStore } from '../../../ports/outbound/object-store.ts';

/** An opened table and its objects. */
export type Place = {
  /** The name for messages. It is the same for every way of writing the place. */
  readonly name: string;
  readonly table: Table;
  readonly dump: TableDump;
  readonly objects: ObjectStore;
  readonly listing: ObjectListing;
  /** The folder of the signing keys; undefined if they are not beside the table. */
  readonly keysFolder?: string | undefined;
};

export type Stage = 'Entries' | 'Objects' | 'Bytes' | 'Verifying';

/** Gets the progress of a stage. A total may be approximate. */
export type MigrateProgress = (stage: Stage, done: number, total: number) => void;

/** The most concurrent calls to one side. */
export const AT_ONCE = 8;

/** The most keys to name when two sides differ. */
export const NAMED = 5;
