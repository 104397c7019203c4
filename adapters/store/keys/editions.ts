import type { PackedBody } from '../packed-body.ts';
import type { KeyOf } from './families.ts';

/** The partitions of which processes keep copies: the catalog, and the public releases of each product. */
export const KEPT_PARTITIONS = ['CATALOG', 'SUPPLY'] as const;
export type KeptPartition = (typeof KEPT_PARTITIONS)[number];

/** The last changes of a partition. Each change writes this item in its own transaction. */
export type Edition = {
  /** Oldest first, never empty: a mark, a space, and the sort key of the record that changed. */
  readonly changes: readonly string[];
  /** The mark of the last change that the snapshot has; null where there is no snapshot. */
  readonly packed: string | null;
  /** True where the snapshot is one item. Each change renews such a snapshot. */
  readonly is_small: boolean;
};

/** A chunk of a snapshot: the records from a sort key up to that of the next chunk. */
export type ChunkPlace = { readonly from: string; readonly name: string };

/** The records of a partition as they were with one change. */
export type Snapshot = {
  /** The mark of that change. */
  readonly packed: string;
  /** All records of a small partition, otherwise null. */
  readonly whole: PackedBody | null;
  /** In the order of their sort keys. */
  readonly chunks: readonly ChunkPlace[];
  /** The sort keys of records that are too large for a chunk. They are read by themselves. */
  readonly loose: readonly string[];
};

/**
 * Where the edition of a partition lies, and its snapshot. Each chunk has a partition of its own and a name that is
 * never used again, so that no chunk ever changes.
 */
export const editionKeys = {
  edition: (of: KeptPartition): KeyOf<Edition> => ({ pk: `EDITION#${of}`, sk: 'EDITION' }),
  snapshot: (of: KeptPartition): KeyOf<Snapshot> => ({ pk: `EDITION#${of}`, sk: 'SNAPSHOT' }),
  chunk: (of: KeptPartition, name: string): KeyOf<PackedBody> => ({ pk: `EDITION#${of}#${name}`, sk: 'CHUNK' }),
};
