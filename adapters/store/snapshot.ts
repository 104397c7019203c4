import { randomBytes } from 'node:crypto';
import { type ChunkPlace, type Edition, editionKeys, type KeptPartition, type Snapshot } from './keys/editions.ts';
import { bodyOf, type PackedBody, packedBody } from './packed-body.ts';
import { chunksOf } from './records.ts';
import type { Key } from './table.ts';
import { MAX_DATA_BYTES } from './table-checks.ts';
import type { TypedTable } from './typed-table.ts';

/** The changes that a snapshot of several chunks may lag behind. */
const UNPACKED = 48;

/**
 * The changes that an edition keeps. They fit into 4 KB, one read unit, with the longest keys of the catalog. A copy
 * that lags behind by more is read anew.
 */
const KEPT = 2 * UNPACKED;

/** A new mark: 48 random bits, so that no two changes of an edition have the same. */
const newMark = (): string => randomBytes(6).toString('base64url');

const markIn = (change: string): string => change.slice(0, change.indexOf(' '));

/** The mark of the last change. */
export const markOf = ({ changes }: Edition): string => markIn(changes.at(-1) ?? ' ');

/** The changes after the one with this mark; undefined where the edition no longer knows it. */
const after = ({ changes }: Edition, mark: string | null): readonly string[] | undefined => {
  const at = changes.findIndex((change) => markIn(change) === mark);
  return at < 0 ? undefined : changes.slice(at + 1);
};

/** The sort keys that changed after the change with this mark; undefined where the edition no longer knows it. */
export const changedAfter = (edition: Edition, mark: string | null): string[] | undefined => {
  const changes = after(edition, mark);
  return changes && [...new Set(changes.map((change) => change.slice(change.indexOf(' ') + 1)))];
};

/** The edition after records changed. */
export const withChanges = (edition: Edition | undefined, sortKeys: readonly string[]): Edition => ({
  packed: edition?.packed ?? null,
  is_small: edition?.is_small ?? true,
  changes: [...(edition?.changes ?? []), ...sortKeys.map((sk) => `${newMark()} ${sk}`)].slice(-KEPT),
});

/** True where a new snapshot is due. */
export const isUnpacked = (edition: Edition): boolean => {
  const lag = after(edition, edition.packed)?.length;
  return lag === undefined || lag >= (edition.is_small ? 1 : UNPACKED);
};

/** The records of a partition by their sort keys. */
export type Records = ReadonlyMap<string, object>;

type Row = readonly [sk: string, data: object];

/** A partition of at most so many bytes of JSON has a snapshot of one item. */
const SMALL_BYTES = 64 * 1024;

/** The bytes of JSON of a chunk. Compressed, they take about a fifth; the worst text takes a little more than them. */
const CHUNK_BYTES = 256 * 1024;

/** Chunks of one call. Compressed, they take about a megabyte. */
const CHUNKS_AT_ONCE = 20;

const packed = (rows: readonly Row[]): PackedBody => packedBody(JSON.stringify(rows));
const rowsOf = (body: PackedBody): Row[] => JSON.parse(bodyOf(body)) as Row[];

const bytesOf = ([sk, data]: Row): number => Buffer.byteLength(JSON.stringify([sk, data])) + 1;

const inOrder = (records: Records): Row[] => [...records].sort(([a], [b]) => (a < b ? -1 : 1));

/** A snapshot to write, with its new chunks, and the names of the chunks that it no longer has. */
type Packing = {
  readonly snapshot: Snapshot;
  readonly chunks: readonly (readonly [name: string, body: PackedBody])[];
  readonly dropped: readonly string[];
};

/** The rows in lists of at most so many bytes; a longer row is alone. */
const piecesOf = (rows: readonly Row[]): Row[][] => {
  const pieces: Row[][] = [];
  let left = 0;
  for (const row of rows) {
    const bytes = bytesOf(row);
    const last = pieces.at(-1);
    if (last && bytes <= left) last.push(row);
    else pieces.push([row]);
    left = (last && bytes <= left ? left : CHUNK_BYTES) - bytes;
  }
  return pieces;
};

/** New chunks of the rows, and the sort keys of rows that no chunk takes. */
const newChunks = (rows: readonly Row[]) => {
  const [places, chunks, loose]: [ChunkPlace[], [string, PackedBody][], string[]] = [[], [], []];
  for (const piece of piecesOf(rows)) {
    const [name, from, body] = [newMark(), piece[0]?.[0] ?? '', packed(piece)];
    if (body.deflated.length > MAX_DATA_BYTES - 100) loose.push(from);
    else {
      places.push({ from, name });
      chunks.push([name, body]);
    }
  }
  return { places, chunks, loose };
};

/** The position of the chunk that has, or would get, the record. */
const positionOf = (chunks: readonly ChunkPlace[], sk: string): number =>
  Math.max(
    0,
    chunks.findLastIndex(({ from }) => from <= sk),
  );

/**
 * The snapshot of the records as they are with the change `mark`. Of the snapshot `before` it keeps the chunks without
 * a record that `changed`; undefined stands for unknown changes.
 */
export const packing = (
  records: Records,
  mark: string,
  before: Snapshot | undefined,
  changed: readonly string[] | undefined,
): Packing => {
  const rows = inOrder(records);
  const old = before?.chunks ?? [];
  if (!before || !changed || old.length === 0) {
    const dropped = old.map(({ name }) => name);
    const isSmall = rows.reduce((sum, row) => (sum > SMALL_BYTES ? sum : sum + bytesOf(row)), 0) <= SMALL_BYTES;
    const snapshot = { packed: mark, whole: null, chunks: [], loose: [] };
    if (isSmall) return { snapshot: { ...snapshot, whole: packed(rows) }, chunks: [], dropped };
    const { places, chunks, loose } = newChunks(rows);
    return { snapshot: { ...snapshot, chunks: places, loose }, chunks, dropped };
  }
  const touched = new Set(changed.map((sk) => positionOf(old, sk)));
  const result = { chunks: [] as Packing['chunks'][number][], dropped: [] as string[] };
  const [chunks, loose]: [ChunkPlace[], string[]] = [
    [],
    before.loose.filter((sk) => !touched.has(positionOf(old, sk))),
  ];
  for (const [n, place] of old.entries()) {
    if (!touched.has(n)) {
      chunks.push(place);
      continue;
    }
    const made = newChunks(rows.filter(([sk]) => positionOf(old, sk) === n));
    chunks.push(...made.places);
    loose.push(...made.loose);
    result.chunks.push(...made.chunks);
    result.dropped.push(place.name);
  }
  return { snapshot: { packed: mark, whole: null, chunks, loose }, ...result };
};

/** Reads snapshots of one partition, and keeps the chunks of the last one, which never change. */
export class SnapshotReader {
  readonly #table: TypedTable;
  readonly #of: KeptPartition;
  #kept: ReadonlyMap<string, readonly Row[]> = new Map();

  constructor(table: TypedTable, of: KeptPartition) {
    this.#table = table;
    this.#of = of;
  }

  /**
   * The records with every change of the edition, or newer; undefined where the snapshot and the edition do not match,
   * or a chunk is gone. `keyOf` gives the key of a record's sort key, undefined for a record outside of the partition.
   */
  async read(
    snapshot: Snapshot,
    edition: Edition,
    keyOf: (sk: string) => Key | undefined,
    consistent: boolean,
  ): Promise<Map<string, object> | undefined> {
    const changed = snapshot.packed === edition.packed ? changedAfter(edition, snapshot.packed) : undefined;
    if (!changed) return undefined;
    const [chunks, single] = await Promise.all([
      this.#chunks(snapshot, consistent),
      recordsAt(this.#table, [...new Set([...snapshot.loose, ...changed])], keyOf),
    ]);
    if (!chunks) return undefined;
    const records = new Map<string, object>(snapshot.whole ? rowsOf(snapshot.whole) : []);
    for (const rows of chunks.values()) for (const [sk, data] of rows) records.set(sk, data);
    return withRecords(records, single);
  }

  async #chunks({ chunks }: Snapshot, consistent: boolean): Promise<ReadonlyMap<string, readonly Row[]> | undefined> {
    const missing = chunks.filter(({ name }) => !this.#kept.has(name));
    const read = new Map<string, readonly Row[]>();
    await Promise.all(
      chunksOf(missing, CHUNKS_AT_ONCE).map(async (places) => {
        const keys = places.map(({ name }) => editionKeys.chunk(this.#of, name));
        const items = await this.#table.getMany(keys, { consistent });
        places.forEach(({ name }, n) => {
          const item = items[n];
          if (item) read.set(name, rowsOf(item.data));
        });
      }),
    );
    const all = new Map<string, readonly Row[]>();
    for (const { name } of chunks) {
      const rows = this.#kept.get(name) ?? read.get(name);
      if (!rows) return undefined;
      all.set(name, rows);
    }
    this.#kept = all;
    return all;
  }
}

/** The records that lie under these different sort keys now; null for one that is not there. */
export const recordsAt = async (
  table: TypedTable,
  sortKeys: readonly string[],
  keyOf: (sk: string) => Key | undefined,
): Promise<Map<string, object | null>> => {
  const keys = sortKeys.flatMap((sk) => keyOf(sk) ?? []);
  const found = new Map<string, object | null>();
  await Promise.all(
    chunksOf(keys, 100).map(async (some) => {
      const items = await table.getMany(some);
      some.forEach(({ sk }, n) => {
        found.set(sk, items[n]?.data ?? null);
      });
    }),
  );
  return found;
};

/** The map itself, with these records written over it. */
export const withRecords = (
  records: Map<string, object>,
  changed: ReadonlyMap<string, object | null>,
): Map<string, object> => {
  for (const [sk, data] of changed) {
    if (data) records.set(sk, data);
    else records.delete(sk);
  }
  return records;
};
