import type { PackedBody } from '../packed-body.ts';
import type { KeyOf } from './families.ts';

/** The partitions of which processes keep copies: the catalog, and the public releases of each product. */
export type KeptPartition = 'CATALOG' | 'SUPPLY';

/** The last changes of a partition. Each change writes this item in its own transaction. */
export type Edition = {
  /** Oldest first, never empty: a mark, a space, and the sort key of the record that changed. */
  readonly changes: readonly string[];
};

/** A part of a snapshot. */
export type Chunk = { readonly name: string };

/** The records of a partition as they were with one change. */
export type Snapshot = {
  readonly mark: string;
  /** All records of a small partition, otherwise null. */
  readonly whole: PackedBody | null;
  /** The number of the first chunks, which have all records. Those after them have what changed later, oldest first. */
  readonly base: number;
  readonly chunks: readonly Chunk[];
};

/**
 * Keys of a partition's edition and snapshot. Each chunk has its own partition and a name that is never used again, so
 * no chunk ever changes.
 */
export const editionKeys = {
  edition: (of: KeptPartition): KeyOf<Edition> => ({ pk: `EDITION#${of}`, sk: 'EDITION' }),
  snapshot: (of: KeptPartition): KeyOf<Snapshot> => ({ pk: `EDITION#${of}`, sk: 'SNAPSHOT' }),
  chunk: (of: KeptPartition, name: string): KeyOf<PackedBody> => ({ pk: `EDITION#${of}#${name}`, sk: 'CHUNK' }),
};
