/**
 * The one storage interface: a key-value table in DynamoDB's own terms. An engine implements this and nothing else; it
 * is right when it passes the contract suite `test/contracts/table.ts`, which tests each of these guarantees but the
 * survival of a process that dies.
 *
 * Every engine gives these guarantees:
 * - An item is a value: a read returns it frozen or copied, and later writes never change it.
 * - `data` is plain JSON; members that are `undefined` are dropped.
 * - Each call is atomic, except `getMany` and `query`: their items may come from different moments.
 * - An acknowledged write survives the death of the process.
 * - A key never gets the same version twice, not even after its item was removed and made again.
 * - Data come back as the same text of JSON: members keep their order and their names, and numbers their value.
 * - Keys are compared by their bytes: case, spaces, NUL and forms of Unicode count.
 * - The engine deletes an item or a counter some time after its `expires_at`, or never; nobody else has to. Until then
 *   the item is there, for reads and for conditions alike, so that `absent` does not hold. A repository that stores an
 *   expiry therefore compares it too. No engine deletes anything before its expiry.
 * - Any number of tables, in any number of processes, may be open on one store. All guarantees hold between them.
 * - A store that can't be reached, or is out of order, makes each call reject with StoreUnavailable within ten seconds.
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
   * One page of a partition, ordered by sort key as UTF-8 bytes. A page ends at the latest with the item that brings
   * the data of the page, as JSON, to 1 MiB (`PAGE_BYTES`), however high the limit is.
   */
  query(query: Query): Promise<Page>;

  /** Writes the whole item. Returns false and writes nothing where the condition doesn't hold. */
  put(item: NewItem, condition?: Condition): Promise<boolean>;

  /** Removes the item if it is there. Returns false and removes nothing where the condition doesn't hold. */
  remove(key: Key, condition?: Condition): Promise<boolean>;

  /**
   * Adds to a counter and returns the sum, which must stay a safe integer. A counter starts at 0 and lives apart from
   * items: its key is used with `increment` only. `volatile` permits a power failure to undo the last moments of the
   * count.
   *
   * An increment of an expired counter continues with its sum, or begins at 0 if the engine has deleted it. No caller
   * may depend on either: a count of a minute has the minute in its key.
   */
  increment(key: Key, by: number, options?: IncrementOptions): Promise<number>;

  /**
   * Does all of 1 to 100 writes on different keys, or none and returns false if any condition doesn't hold. The
   * conditions and the writes happen at one moment: no other write comes between them, not even to a key that the
   * transaction only checks or that has no item. Transactions wait for each other or are tried again by the engine, in
   * whatever order they name their keys. An engine may refuse items of more than 4 MB together as ItemTooLarge.
   */
  transact(writes: readonly Write[], options?: TransactOptions): Promise<boolean>;

  /** Resolves when the store answers. */
  ping(): Promise<void>;

  /** Ends the use of the table and frees its files and connections. Closing it twice does no harm; no other call follows. */
  close(): Promise<void>;
}

/** Partition and sort key; each is 1 to 1000 bytes of UTF-8, so it holds no half of a surrogate pair. */
export type Key = { readonly pk: string; readonly sk: string };

/** An item to write. */
export type NewItem = Key & {
  readonly data: object;
  /** Unix seconds after which the engine may delete the item; left out, the item has no expiry. */
  readonly expires_at?: number | undefined;
};

/** An item as it was read. */
export type Item<T extends object = object> = Key & {
  readonly data: T;
  /** Changes with every write of the item. */
  readonly version: string;
  readonly expires_at?: number | undefined;
};

/** `absent`: there is no such item. `version`: the item is still the one that was read. */
export type Condition = { readonly absent: true } | { readonly version: string };

export type IncrementOptions = {
  /**
   * Unix seconds after which the engine may delete the counter. It replaces the counter's expiry, to a later or an
   * earlier one; left out, the counter keeps the expiry that it has.
   */
  readonly expires_at?: number;
  readonly volatile?: boolean;
  /** Permits the engine to give up with StoreBusy at once, where the store takes no more requests at the moment. */
  readonly hurried?: boolean;
};

export type TransactOptions = {
  /**
   * Permits the engine to give up with StoreBusy at once, where others write the same items at the moment or the store
   * takes no more requests. It is for a caller that reads and decides again anyway.
   */
  readonly hurried?: boolean;
};

export type ReadOptions = { readonly consistent?: boolean };

/** A stretch of one partition, and how to read it. */
export type Query = ReadOptions & {
  readonly pk: string;
  /** Only sort keys that begin so. */
  readonly prefix?: string | undefined;
  /** Only sort keys from this one on, inclusive. */
  readonly from?: string | undefined;
  /** Only sort keys up to this one, inclusive. */
  readonly to?: string | undefined;
  readonly descending?: boolean;
  /** The most items of the page, 1 to 1000; without it the engine decides. */
  readonly limit?: number | undefined;
  /** `next` of the previous page. */
  readonly after?: string | undefined;
};

export type Page<T extends object = object> = {
  readonly items: readonly Item<T>[];
  /** Absent on the last page. Where it is there, the page after it may turn out to be empty. */
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
 * The store did not answer, or refused for reasons of its own; the same call may go through later. A write may have
 * happened all the same, because its answer can be lost on the way: read before you repeat it, and repeat no
 * `increment` that must count once. The message is one line, which names the store and the reason.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** The store takes no more requests at the moment, or others write the same items. The call did not happen. */
export class StoreBusy extends StoreUnavailable {}
