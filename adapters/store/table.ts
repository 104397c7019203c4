/**
 * The one storage interface: a key-value table in DynamoDB's own terms. An engine implements this and nothing else. It
 * is correct if it passes the contract suite `test/contracts/table.ts`, which tests all of these guarantees except that
 * writes survive the death of the process.
 *
 * Every engine gives these guarantees:
 * - An item is a value: a read returns it frozen or copied, and later writes never change it.
 * - `data` is plain JSON; fields that are `undefined` are dropped.
 * - Each call is atomic, except `getMany` and `query`: their items may come from different moments.
 * - An acknowledged write survives the death of the process.
 * - A key never gets the same version twice, not even after its item was removed and created again.
 * - Data are returned as the same JSON text: fields keep their order and their names, and numbers their value.
 * - Keys are compared by their bytes: case, spaces, NUL and forms of Unicode count.
 * - The engine deletes an item or a counter some time after its `expires_at`, or never. Until then
 *   the item exists for reads and for conditions, so `absent` does not hold. A repository that stores an
 *   expiry therefore also compares it with the clock. No engine deletes anything before its expiry.
 * - Any number of tables, in any number of processes, may be open on one store. All guarantees hold between them.
 * - An unreachable or broken store makes each call reject with StoreUnavailable within ten seconds.
 *   The same table works again once the store can be reached.
 *
 * Keys are plain here. Repositories see the same table as a `TypedTable`, whose keys have the types of their records.
 */
export interface Table {
  /** The item, or undefined. A read sees every write acknowledged before it, unless `consistent` is false. */
  get(key: Key, options?: ReadOptions): Promise<Item | undefined>;

  /** The items of up to 100 different keys, in the order of the keys; undefined in the place of a missing item. */
  getMany(keys: readonly Key[], options?: ReadOptions): Promise<(Item | undefined)[]>;

  /**
   * One page of a partition, ordered by sort key as UTF-8 bytes. Whatever the limit, a page ends with the item that
   * brings its data, as JSON, to 1 MiB (`PAGE_BYTES`).
   */
  query(query: Query): Promise<Page>;

  /** Writes the whole item. Returns false and writes nothing if the condition fails. */
  put(item: NewItem, condition?: Condition): Promise<boolean>;

  /** Removes the item if it exists. Returns false and removes nothing if the condition fails. */
  remove(key: Key, condition?: Condition): Promise<boolean>;

  /**
   * Adds to a counter and returns the sum, which must stay a safe integer. A counter starts at 0 and is separate from
   * items: its key is used with `increment` only. `volatile` allows a power failure to undo the last increments.
   *
   * Incrementing an expired counter continues its sum, or restarts at 0 if the engine has deleted it. No caller may
   * depend on either: a count per minute has the minute in its key.
   */
  increment(key: Key, by: number, options?: IncrementOptions): Promise<number>;

  /**
   * Executes 1 to 100 writes on different keys, or none and returns false if any condition fails. The conditions and
   * the writes are atomic: no other write comes between them, not even to a key that is only checked or has no item.
   * Concurrent transactions wait for each other or are retried by the engine, in whatever order they name their keys.
   * An engine may refuse items of more than 4 MB in total as ItemTooLarge.
   */
  transact(writes: readonly Write[], options?: TransactOptions): Promise<boolean>;

  /** Resolves when the store answers. */
  ping(): Promise<void>;

  /** Closes the table and frees its files and connections. Closing it twice is harmless; no other call may follow. */
  close(): Promise<void>;
}

/** A partition key and a sort key of 1 to 1000 bytes of well-formed UTF-8 each, without lone surrogates. */
export type Key = { readonly pk: string; readonly sk: string };

/** An item to write. */
export type NewItem = Key & {
  readonly data: object;
  /** Unix seconds after which the engine may delete the item; without it, the item never expires. */
  readonly expires_at?: number | undefined;
};

/** An item as read. */
export type Item<T extends object = object> = Key & {
  readonly data: T;
  /** Changes with every write of the item. */
  readonly version: string;
  readonly expires_at?: number | undefined;
};

/** `absent`: there is no such item. `version`: the item is unchanged since the read. */
export type Condition = { readonly absent: true } | { readonly version: string };

export type IncrementOptions = {
  /**
   * Unix seconds after which the engine may delete the counter. It replaces the counter's expiry, whether earlier or
   * later; without it, the counter keeps its expiry.
   */
  readonly expires_at?: number;
  readonly volatile?: boolean;
  /** Allows the engine to throw StoreBusy immediately if the store is overloaded. */
  readonly hurried?: boolean;
};

export type TransactOptions = {
  /**
   * Allows the engine to throw StoreBusy immediately if others write the same items or the store is overloaded. It is
   * for a caller that reads and decides again in any case.
   */
  readonly hurried?: boolean;
};

export type ReadOptions = { readonly consistent?: boolean };

/** A range of one partition, and how to read it. */
export type Query = ReadOptions & {
  readonly pk: string;
  /** Only sort keys with this prefix. */
  readonly prefix?: string | undefined;
  /** Only sort keys from this one on, inclusive. */
  readonly from?: string | undefined;
  /** Only sort keys up to this one, inclusive. */
  readonly to?: string | undefined;
  readonly descending?: boolean;
  /** The maximum number of items in the page, 1 to 1000; by default the engine decides. */
  readonly limit?: number | undefined;
  /** `next` of the previous page. */
  readonly after?: string | undefined;
};

export type Page<T extends object = object> = {
  readonly items: readonly Item<T>[];
  /** Absent on the last page. If it is present, the next page may still be empty. */
  readonly next?: string | undefined;
};

export type Write =
  | { readonly put: NewItem; readonly condition?: Condition | undefined }
  | { readonly remove: Key; readonly condition?: Condition | undefined }
  | { readonly check: Key; readonly condition: Condition };

/** An item or a key exceeds the limit of some engine (400 KB of item, 1000 bytes of key). */
export class ItemTooLarge extends Error {
  override name = 'ItemTooLarge';
}

/**
 * The store did not answer, or failed for its own reasons; the same call may succeed later. A write may still have
 * happened, because its response can be lost: read before you repeat it, and never repeat an `increment` that must
 * count once. The one-line message names the store and the reason.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** The store is overloaded, or others write the same items. The call did not happen. */
export class StoreBusy extends StoreUnavailable {}
