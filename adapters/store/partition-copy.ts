import { randomBytes } from 'node:crypto';
import { type CacheAge, CachedCopy, type TellFault } from './cached-copy.ts';
import { type Chunk, type Edition, editionKeys, type KeptPartition, type Snapshot } from './keys/editions.ts';
import { bodyOf, packedBody } from './packed-body.ts';
import { allItems, chunksOf, ifUnchanged, itemOf } from './records.ts';
import type { Item } from './table.ts';
import type { TypedTable, TypedWrite } from './typed-table.ts';

/** The records of a partition by sort key. */
export type Records = ReadonlyMap<string, object>;

/**
 * The records of a partition, with every change up to the mark. The mark is null if no change has been recorded yet.
 */
type Copy = { readonly records: Records; readonly mark: string | null };

/** A record, or null if it was removed. */
type Row = readonly [sk: string, data: object | null];

export type Options = {
  readonly age: CacheAge;
  /** False for the sort key of a change whose record is outside the partition. */
  readonly isInside?: (sk: string) => boolean;
  /** Receives the sort keys that have changed since the last copy; undefined if any may have. */
  readonly changed?: (sortKeys: readonly string[] | undefined) => void;
  readonly tell?: TellFault | undefined;
  /** Called with each read of the edition, for other reads in the same round trip. */
  readonly onEditionRead?: (() => void) | undefined;
};

/** The maximum number of changes by which a larger snapshot may lag. A small one is written with each change. */
const UNPACKED = 48;

/**
 * The number of changes that an edition keeps. With the longest keys of the catalog, they fit into 4 KB, one read unit.
 * A copy that lags further is read again.
 */
const KEPT = 2 * UNPACKED;

/** At this number of chunks with changes, all records are packed again. */
const MOST_ADDED = 64;

/** The maximum size of a partition whose snapshot is one item, in characters of JSON. */
const SMALL = 64 * 1024;

/**
 * The size of JSON that is compressed together, in bytes; a longer record is compressed alone. The compressed size is
 * about a fifth.
 */
const SEGMENT_BYTES = 256 * 1024;

/** Splits a segment into chunks that fit an item; nearly always one. The end marker is no base64 character. */
const CHUNK_CHARACTERS = /.{1,390000}/g;
const END = ';';

/** The number of chunks per read, or of segments written concurrently, about a megabyte. */
const AT_ONCE = 16;

/** The number of attempts to read a snapshot that other writers replace; after that, the partition is read. */
const TRIES = 4;

/** A new mark: 48 random bits, so that marks never repeat, even in a restored store. */
const newMark = (): string => randomBytes(6).toString('base64url');

/** The mark of the last change. */
export const markOf = ({ changes }: Edition): string => changes.at(-1)?.split(' ', 1)[0] ?? '';

/** The sort key of each change after the one with this mark; undefined if the edition no longer knows it. */
export const changedAfter = ({ changes }: Edition, mark: string | null): string[] | undefined => {
  const at = changes.findIndex((change) => change.startsWith(`${mark} `));
  return at < 0 ? undefined : changes.slice(at + 1).map((change) => change.slice(change.indexOf(' ') + 1));
};

/** The write of a partition's edition, for the transaction that changes these records. */
export const changeOf = (
  of: KeptPartition,
  edition: Item<Edition> | undefined,
  sortKeys: readonly string[],
): TypedWrite => {
  const changes = [...(edition?.data.changes ?? []), ...sortKeys.map((sk) => `${newMark()} ${sk}`)].slice(-KEPT);
  return { put: itemOf(editionKeys.edition(of), { changes }), condition: ifUnchanged(edition?.version ?? null) };
};

/** The changes that the snapshot lacks; undefined if the snapshot can't be used. */
const lagOf = (edition: Edition | undefined, snapshot: Snapshot | undefined): string[] | undefined =>
  edition && snapshot && changedAfter(edition, snapshot.mark);

/** True if a new snapshot is due. */
const isDue = (edition: Edition | undefined, snapshot: Snapshot | undefined): boolean =>
  (lagOf(edition, snapshot)?.length ?? UNPACKED) >= (snapshot?.whole ? 1 : UNPACKED);

/** The rows as JSON texts, one for each segment; a single text if there are no rows. */
function* segmentsOf(rows: Iterable<Row>): Generator<string> {
  let [some, bytes]: [string[], number] = [[], 0];
  for (const row of rows) {
    const text = JSON.stringify(row);
    bytes += Buffer.byteLength(text);
    if (some.length > 0 && bytes > SEGMENT_BYTES) {
      yield `[${some.join()}]`;
      [some, bytes] = [[], Buffer.byteLength(text)];
    }
    some.push(text);
  }
  yield `[${some.join()}]`;
}

const rowsOf = (deflated: string): Row[] => JSON.parse(bodyOf({ deflated })) as Row[];

const withRows = (records: Records, rows: Iterable<Row>): Records => {
  const all = new Map(records);
  for (const [sk, data] of rows) {
    if (data) all.set(sk, data);
    else all.delete(sk);
  }
  return all;
};

/**
 * Caches a copy of a whole partition in the process. Each refresh reads one item, the edition, and the records that it
 * names as changed. A process without a copy reads the snapshot, or the partition if there is none. The edition is read
 * before the records, so no record is older than the edition under which it is cached.
 */
export class PartitionCopy {
  readonly #table: TypedTable;
  readonly #of: KeptPartition;
  readonly #options: Options;
  readonly #cached: CachedCopy<Copy>;
  /** The last snapshot that this process knows. It shows without a read that none is due. */
  #snapshot: Snapshot | undefined;

  constructor(table: TypedTable, of: KeptPartition, options: Options) {
    this.#table = table;
    this.#of = of;
    this.#options = options;
    this.#cached = new CachedCopy(options.age, (before) => this.#renew(before), options.tell);
  }

  /** The copy, with the guarantees of `CachedCopy`. The same object is returned until a record changes. */
  current(): Promise<Copy> {
    return this.#cached.current();
  }

  /** Call it after each attempt to change records: the next call of `current` sees the change. */
  forget(): void {
    this.#cached.forget();
  }

  /** Call it after a write. It renews the snapshot if that is due; a failure is only logged. */
  async changed(): Promise<void> {
    this.forget();
    try {
      await this.pack();
    } catch (error) {
      this.#options.tell?.(error);
    }
  }

  /** True if starting processes read the snapshot and a few records instead of the whole partition. */
  async isPacked(): Promise<boolean> {
    const [edition] = await this.#read();
    return !isDue(edition?.data, this.#snapshot);
  }

  /**
   * Writes a new snapshot if the last one lacks too many changes: a segment with the changes, or all records. If
   * another process changes the partition meanwhile, that process writes the snapshot instead.
   */
  async pack(): Promise<void> {
    const [table, of] = [this.#table, this.#of];
    const edition = (await table.get(editionKeys.edition(of)))?.data;
    if (!edition || !isDue(edition, this.#snapshot)) return;
    const item = await table.get(editionKeys.snapshot(of));
    this.#snapshot = item?.data;
    if (!isDue(edition, this.#snapshot)) return;
    const { records, mark } = await this.current();
    if (mark !== markOf(edition)) return;
    const { base = 0, chunks = [] } = item?.data ?? {};
    const isAdded = chunks.length > 0 && chunks.length < base + MOST_ADDED;
    const lag = isAdded ? lagOf(edition, item?.data) : undefined;
    const texts = [...segmentsOf(lag ? this.#inside(lag).map((sk) => [sk, records.get(sk) ?? null]) : records)];
    const [text = ''] = texts;
    const isSmall = !lag && texts.length === 1 && text.length <= SMALL;
    const made: Chunk[] = [];
    for (const some of isSmall ? [] : chunksOf(texts, AT_ONCE))
      made.push(...(await Promise.all(some.map((one) => this.#write(one)))).flat());
    const snapshot = {
      mark,
      whole: isSmall ? packedBody(text) : null,
      base: lag ? base : made.length,
      chunks: lag ? [...chunks, ...made] : made,
    };
    const isPacked = await table.put(itemOf(editionKeys.snapshot(of), snapshot), ifUnchanged(item?.version ?? null));
    if (isPacked) this.#snapshot = snapshot;
    const unused = isPacked ? chunks.filter((one) => !snapshot.chunks.includes(one)) : made;
    for (const { name } of unused) await table.remove(editionKeys.chunk(of, name));
  }

  /** Reads the edition and the snapshot. */
  async #read() {
    const read = await this.#table.getMany([editionKeys.edition(this.#of), editionKeys.snapshot(this.#of)]);
    this.#snapshot = read[1]?.data;
    return read;
  }

  /** Writes a segment as chunks with new names. */
  #write(text: string): Promise<Chunk[]> {
    const chunks = `${packedBody(text).deflated}${END}`.match(CHUNK_CHARACTERS) ?? [];
    return Promise.all(
      chunks.map(async (deflated) => {
        const name = newMark();
        await this.#table.put(itemOf(editionKeys.chunk(this.#of, name), { deflated }));
        return { name };
      }),
    );
  }

  #inside(sortKeys: readonly string[]): string[] {
    return [...new Set(sortKeys)].filter((sk) => this.#options.isInside?.(sk) ?? true);
  }

  /** The current records under these sort keys. */
  async #recordsAt(sortKeys: readonly string[]): Promise<Row[]> {
    const keys = this.#inside(sortKeys).map((sk) => ({ pk: this.#of, sk }));
    const found = keys.length === 0 ? [] : await this.#table.getMany(keys);
    return keys.map(({ sk }, n) => [sk, found[n]?.data ?? null]);
  }

  async #renew(before: Copy | undefined): Promise<Copy> {
    this.#options.onEditionRead?.();
    if (!before || before.mark === null) return this.#whole();
    const edition = await this.#table.get(editionKeys.edition(this.#of));
    const changed = edition && changedAfter(edition.data, before.mark);
    if (!changed) return this.#whole();
    if (changed.length === 0) return before;
    const rows = await this.#recordsAt(changed);
    this.#options.changed?.(changed);
    return { records: rows.length === 0 ? before.records : withRows(before.records, rows), mark: markOf(edition.data) };
  }

  async #whole(): Promise<Copy> {
    for (let n = 1; ; n++) {
      const [edition, snapshot] = await this.#read();
      const unpacked = await this.#unpacked(edition?.data, snapshot?.data, n > 1);
      if (!unpacked && edition && snapshot && n < TRIES) continue;
      const records = unpacked ?? (await this.#partition());
      this.#options.changed?.(undefined);
      return { records, mark: edition ? markOf(edition.data) : null };
    }
  }

  /**
   * The records with every change of the edition, or newer; undefined if the snapshot and the edition do not match, or
   * a chunk is missing. A chunk never changes, so its first read may be an eventually consistent one, at half the
   * price.
   */
  async #unpacked(
    edition: Edition | undefined,
    snapshot: Snapshot | undefined,
    consistent: boolean,
  ): Promise<Records | undefined> {
    const lag = lagOf(edition, snapshot);
    if (!lag || !snapshot) return undefined;
    const keys = snapshot.chunks.map(({ name }) => editionKeys.chunk(this.#of, name));
    const [changed, ...read] = await Promise.all([
      this.#recordsAt(lag),
      ...chunksOf(keys, AT_ONCE).map((some) => this.#table.getMany(some, { consistent })),
    ]);
    const texts = read.flat().map((item) => item?.data.deflated);
    if (texts.includes(undefined)) return undefined;
    const segments = [snapshot.whole?.deflated ?? '', ...texts.join('').split(END)].filter((text) => text);
    return withRows(new Map(), [...segments.flatMap(rowsOf), ...changed]);
  }

  async #partition(): Promise<Records> {
    const records = new Map<string, object>();
    for await (const { sk, data } of allItems(this.#table, { pk: this.#of })) records.set(sk, data);
    return records;
  }
}
