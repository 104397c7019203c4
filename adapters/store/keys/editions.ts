import type { PackedBody } from '../packed-body.ts';
import type { KeyOf } from './families.ts';

/** The partitions that processes cache: the catalog, and the public releases of each product. */
export type KeptPartition = 'CATALOG' | 'SUPPLY';

/** The latest changes of a partition. Each change writes this item in its own transaction. */
export type Edition = {
  /** Oldest first, never empty: a mark, a space, and the sort key of the record that changed. */
  readonly changes: readonly string[];
};

/** The name of a chunk of a snapshot. */
export type Chunk = { readonly name: string };

/** The records of a partition as of one change. */
export type Snapshot = {
  readonly mark: string;
  /** All records of a small partition, otherwise null. */
  readonly whole: PackedBody | null;
  /** The number of leading chunks that have all records. The chunks after them have later changes, oldest first. */
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
