/**
 * The one storage interface: a key-value table in DynamoDB's own terms. An engine implements this and nothing else; it
 * is right when it passes the contract suite `test/contracts/table.ts`.
 *
 * Guarantees every engine gives:
 * - An item is a value: what a read returns is frozen or a copy, and later writes never change it.
 * - `data` is plain JSON; members that are `undefined` are dropped.
 * - Each call is atomic on its own, but for `getMany` and `query`, whose items need not be of one moment. A write that was acknowledged survives the death of the process.
 * - A version is never used twice for a key, not even after the item was removed and made again.
 * - An item whose `expires_at` lies in the past may still be returned (DynamoDB deletes lazily): who stores an expiry
 *   compares it too.
 */
export interface Table {
  /** The item, or undefined. Reads see every write acknowledged before them unless `consistent` is false. */
  get(key: Key, options?: ReadOptions): Promise<Item | undefined>;

  /** The items of up to 100 different keys, in the order of the keys, undefined where there is none. */
  getMany(keys: readonly Key[], options?: ReadOptions): Promise<(Item | undefined)[]>;

  /** One page of a partition, ordered by sort key as UTF-8 bytes. */
  query(query: Query): Promise<Page>;

  /** Writes the whole item. False, with nothing written, where the condition doesn't hold. */
  put(item: NewItem, condition?: Condition): Promise<boolean>;

  /** Removes the item if it is there. False, with nothing removed, where the condition doesn't hold. */
  remove(key: Key, condition?: Condition): Promise<boolean>;

  /**
   * Adds to a counter, which starts at 0 and lives apart from items: its key is used with `increment` only.
   * `volatile` says that losing the last moments of it in a power failure does no harm.
   */
  increment(key: Key, by: number, options?: IncrementOptions): Promise<number>;

  /** All of 1 to 100 writes on different keys, or none: false where any condition doesn't hold. */
  transact(writes: readonly Write[]): Promise<boolean>;

  /** Resolves where the store answers. */
  ping(): Promise<void>;

  close(): Promise<void>;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined };

/** Partition and sort key; each 1 to 1000 bytes of UTF-8, so no half of a surrogate pair. */
export type Key = { readonly pk: string; readonly sk: string };

export type NewItem = Key & {
  readonly data: object;
  /** Unix seconds after which the engine may drop the item. */
  readonly expires_at?: number | undefined;
};

export type Item = Key & {
  // biome-ignore lint/suspicious/noExplicitAny: the repositories know the shape of what they stored; see `read` in records.ts
  readonly data: any;
  /** Changes with every write of the item. */
  readonly version: string;
  readonly expires_at?: number | undefined;
};

/** `absent`: there is no such item. `version`: the item is still the one that was read. */
export type Condition = { readonly absent: true } | { readonly version: string };

export type IncrementOptions = { readonly expires_at?: number; readonly volatile?: boolean };

export type ReadOptions = { readonly consistent?: boolean };

export type Query = ReadOptions & {
  readonly pk: string;
  /** Only sort keys that begin so. */
  readonly prefix?: string | undefined;
  /** Only sort keys from this one on, inclusive. */
  readonly from?: string | undefined;
  /** Only sort keys up to this one, inclusive. */
  readonly to?: string | undefined;
  readonly descending?: boolean;
  /** Items at most, 1 to 1000; without it as many as the engine puts on a page. */
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
};

export type Page = {
  readonly items: readonly Item[];
  /** Absent on the last page. Where it is there, the page after it may turn out to be empty. */
  readonly next?: string | undefined;
};

export type Write =
  | { readonly put: NewItem; readonly condition?: Condition | undefined }
  | { readonly remove: Key; readonly condition?: Condition | undefined }
  | { readonly check: Key; readonly condition: Condition };

/** An item or key past what every engine can hold (400 KB, 1000 bytes of key). */
export class ItemTooLarge extends Error {
  override name = 'ItemTooLarge';
}

/** The store did not answer, or refused for reasons of its own; the same call may go through later. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** Bytes of an item's data as JSON. With the longest keys beside it, that stays below DynamoDB's 400 KB (409,600). */
export const MAX_DATA_BYTES = 400_000;
export const MAX_KEY_BYTES = 1000;
/** Keys of one `getMany`, writes of one `transact`. */
export const MAX_BATCH = 100;
export const MAX_PAGE = 1000;

/*
 * What every engine asks of its input before it does anything, so that a fault shows on whichever engine is at hand.
 * Each throws ItemTooLarge where something is too large and otherwise a RangeError or TypeError, with one sentence.
 */

const isLonger = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);

const checkKeyText = (name: 'pk' | 'sk', text: string): void => {
  if (text.length === 0) throw new RangeError(`A key has an empty ${name}.`);
  if (isLonger(text, MAX_KEY_BYTES)) throw new ItemTooLarge(`A key has a ${name} of more than ${MAX_KEY_BYTES} bytes.`);
  if (!text.isWellFormed()) throw new TypeError(`A key has a ${name} with half of a surrogate pair.`);
};

export const checkKey = (key: Key): void => {
  checkKeyText('pk', key.pk);
  checkKeyText('sk', key.sk);
};

/** One string for a key, different for different keys. */
export const keyName = ({ pk, sk }: Key): string => `${pk.length}:${pk}${sk}`;

/** Up to 100 keys, each of them once. */
export const checkKeys = (keys: readonly Key[]): void => {
  if (keys.length > MAX_BATCH) throw new RangeError(`One call takes up to ${MAX_BATCH} keys, not ${keys.length}.`);
  keys.forEach(checkKey);
  if (new Set(keys.map(keyName)).size < keys.length) throw new RangeError('One call names a key twice.');
};

export const keyOf = (write: Write): Key =>
  'put' in write ? write.put : 'remove' in write ? write.remove : write.check;

const checkWhole = (name: string, value: number | undefined): void => {
  if (value !== undefined && !Number.isSafeInteger(value)) throw new RangeError(`${name} is no whole number.`);
};

export const checkWrites = (writes: readonly Write[]): void => {
  if (writes.length === 0) throw new RangeError('A transaction holds no write.');
  checkKeys(writes.map(keyOf));
  for (const write of writes) if ('put' in write) checkWhole('expires_at', write.put.expires_at);
};

export const checkIncrement = (key: Key, by: number, options: IncrementOptions): void => {
  checkKey(key);
  checkWhole('The increment', by);
  checkWhole('expires_at', options.expires_at);
};

export const checkQuery = ({ pk, limit, prefix = '', from = '', to = '', after = '' }: Query): void => {
  checkKeyText('pk', pk);
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE)) {
    throw new RangeError(`A page takes 1 to ${MAX_PAGE} items.`);
  }
  if (![prefix, from, to, after].every((text) => text.isWellFormed())) {
    throw new TypeError('A query names a sort key with half of a surrogate pair.');
  }
};

/** The data as the JSON to store. */
export const dataJson = (item: NewItem): string => {
  const json = JSON.stringify(item.data);
  if (isLonger(json, MAX_DATA_BYTES)) throw new ItemTooLarge(`An item has data of more than ${MAX_DATA_BYTES} bytes.`);
  return json;
};
