import { type CacheAge, Kept, type TellFault } from './kept.ts';
import { type Edition, editionKeys, type KeptPartition } from './keys/editions.ts';
import { allItems, chunksOf, ifUnchanged, itemOf } from './records.ts';
import {
  changedAfter,
  isUnpacked,
  markOf,
  packing,
  type Records,
  recordsAt,
  SnapshotReader,
  withChanges,
  withRecords,
} from './snapshot.ts';
import type { Item, Key } from './table.ts';
import type { TypedTable, TypedWrite } from './typed-table.ts';

/** The records of a partition, with every change up to the mark. Without a mark, nobody has noted a change yet. */
export type Copy = { readonly records: Records; readonly mark: string | null };

export type Options = {
  readonly age: CacheAge;
  /** False for the sort key of a change that stands for a record outside of the partition. */
  readonly isInside?: (sk: string) => boolean;
  /** Hears of the sort keys that have changed since the last copy; undefined where any may have. */
  readonly changed?: (sortKeys: readonly string[] | undefined) => void;
  readonly tell?: TellFault | undefined;
  /** Called with each look at the edition, for what can be looked after in the same round trip. */
  readonly beside?: (() => void) | undefined;
};

/** Compressed texts of some hundred kilobytes are written at the same time. */
const WRITES_AT_ONCE = 8;

/** A snapshot that other writers replace is looked for this often; then the partition is read. */
const TRIES = 4;

/** The sort key of a change that no record has made. */
const NO_RECORD = '-';

const snapshotKeys = (of: KeptPartition) => [editionKeys.edition(of), editionKeys.snapshot(of)] as const;

/** The write of a partition's edition in the transaction of a change of these records. */
export const changeOf = (
  of: KeptPartition,
  edition: Item<Edition> | undefined,
  sortKeys: readonly string[],
): TypedWrite => ({
  put: itemOf(editionKeys.edition(of), withChanges(edition?.data, sortKeys)),
  condition: ifUnchanged(edition?.version ?? null),
});

/**
 * Keeps a copy of a whole partition in process. Each renewal reads the edition, one item, and the records that it names
 * as changed. A process without a copy reads the snapshot, or the partition where there is none. The edition is read
 * before the records, so that no record is older than the edition under which it is kept.
 */
export class PartitionCopy {
  readonly #table: TypedTable;
  readonly #of: KeptPartition;
  readonly #options: Options;
  readonly #kept: Kept<Copy>;
  readonly #snapshots: SnapshotReader;

  constructor(table: TypedTable, of: KeptPartition, options: Options) {
    this.#table = table;
    this.#of = of;
    this.#options = options;
    this.#kept = new Kept(options.age, (before) => this.#renew(before), options.tell);
    this.#snapshots = new SnapshotReader(table, of);
  }

  /** The copy, as `Kept` promises. The same object comes again until a record changes. */
  current(): Promise<Copy> {
    return this.#kept.current();
  }

  /** Call it after each attempt to change records: the next call of `current` sees them. */
  forget(): void {
    this.#kept.forget();
  }

  /** Call it after a change that was written. It renews the snapshot where that is due; a failure is told and no more. */
  async changed(): Promise<void> {
    this.forget();
    try {
      await this.pack();
    } catch (error) {
      this.#options.tell?.(error);
    }
  }

  /** True where processes that start read the snapshot and a few records, and not the whole partition. */
  async isPacked(): Promise<boolean> {
    const [edition, snapshot] = await this.#table.getMany(snapshotKeys(this.#of));
    return edition !== undefined && !isUnpacked(edition.data) && snapshot?.data.packed === edition.data.packed;
  }

  /** Writes the edition and the snapshot that a store of an older version lacks. Returns false where it has both. */
  async mend(): Promise<boolean> {
    if (await this.isPacked()) return false;
    const edition = await this.#table.get(editionKeys.edition(this.#of));
    await this.#table.transact([changeOf(this.#of, edition, [NO_RECORD])]);
    this.forget();
    await this.pack();
    return true;
  }

  /**
   * Writes a new snapshot where the last one lacks too many changes. Another writer that changes the partition
   * meanwhile does so in its place.
   */
  async pack(): Promise<void> {
    const [table, of] = [this.#table, this.#of];
    const edition = await table.get(editionKeys.edition(of));
    if (!edition || !isUnpacked(edition.data)) return;
    const [{ records, mark }, before] = await Promise.all([this.current(), table.get(editionKeys.snapshot(of))]);
    if (mark === null || mark !== markOf(edition.data)) return;
    const isBase = before?.data.packed === edition.data.packed;
    const changed = isBase ? changedAfter(edition.data, edition.data.packed)?.filter(this.#isInside) : undefined;
    const { snapshot, chunks, dropped } = packing(records, mark, before?.data, changed);
    for (const some of chunksOf(chunks, WRITES_AT_ONCE)) {
      await Promise.all(some.map(([name, body]) => table.put(itemOf(editionKeys.chunk(of, name), body))));
    }
    const isPacked = await table.transact([
      {
        put: itemOf(editionKeys.edition(of), { ...edition.data, packed: mark, is_small: snapshot.whole !== null }),
        condition: ifUnchanged(edition.version),
      },
      { put: itemOf(editionKeys.snapshot(of), snapshot), condition: ifUnchanged(before?.version ?? null) },
    ]);
    for (const name of isPacked ? dropped : chunks.map(([one]) => one)) {
      await table.remove(editionKeys.chunk(of, name));
    }
  }

  readonly #isInside = (sk: string): boolean => this.#options.isInside?.(sk) ?? true;

  readonly #keyOf = (sk: string): Key | undefined => (this.#isInside(sk) ? { pk: this.#of, sk } : undefined);

  async #renew(before: Copy | undefined): Promise<Copy> {
    this.#options.beside?.();
    if (!before || before.mark === null) return this.#whole();
    const edition = await this.#table.get(editionKeys.edition(this.#of));
    const changed = edition && changedAfter(edition.data, before.mark);
    if (!changed) return this.#whole();
    if (changed.length === 0) return before;
    const found = await recordsAt(this.#table, changed, this.#keyOf);
    this.#options.changed?.(changed);
    const records = found.size === 0 ? before.records : withRecords(new Map(before.records), found);
    return { records, mark: markOf(edition.data) };
  }

  async #whole(): Promise<Copy> {
    const keys = snapshotKeys(this.#of);
    let copy: Copy | undefined;
    for (let n = 1; !copy; n++) {
      const [edition, snapshot] = await this.#table.getMany(keys);
      const mark = edition ? markOf(edition.data) : null;
      // A chunk never changes, so that its first read need not be consistent, which is half the price.
      const read = edition && snapshot && this.#snapshots.read(snapshot.data, edition.data, this.#keyOf, n > 1);
      const records = await read;
      const hasSnapshot = edition && edition.data.packed !== null;
      if (records) copy = { records, mark };
      else if (!hasSnapshot || n === TRIES) copy = { records: await this.#partition(), mark };
    }
    this.#options.changed?.(undefined);
    return copy;
  }

  async #partition(): Promise<Records> {
    const records = new Map<string, object>();
    for await (const { sk, data } of allItems(this.#table, { pk: this.#of })) records.set(sk, data);
    return records;
  }
}
