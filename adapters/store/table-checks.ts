import { type IncrementOptions, ItemTooLarge, type Key, type NewItem, type Query, type Write } from './table.ts';

/**
 * The maximum size of an item's data as JSON, in bytes. With the longest keys it stays below DynamoDB's 400 KB (409,600
 * bytes).
 */
export const MAX_DATA_BYTES = 400_000;
/** The maximum size of a partition key, and of a sort key, in bytes of UTF-8. */
export const MAX_KEY_BYTES = 1000;
/** The maximum number of keys in a `getMany`, and of writes in a `transact`. */
export const MAX_BATCH = 100;
/** The maximum number of items in a page of a query. */
export const MAX_PAGE = 1000;
/** A page of a query or a dump ends with the item that brings its data as JSON to this many bytes. */
export const PAGE_BYTES = 1024 * 1024;

/*
 * Every engine checks its input here first, so that all engines refuse the same input. Each check throws ItemTooLarge
 * if something is too large and otherwise a RangeError or a TypeError, with a one-sentence message.
 */

const checkKeyText = (name: 'pk' | 'sk', text: string): void => {
  if (text.length === 0) throw new RangeError(`A key has an empty ${name}.`);
  if (Buffer.byteLength(text) > MAX_KEY_BYTES) {
    throw new ItemTooLarge(`A key has a ${name} of more than ${MAX_KEY_BYTES} bytes.`);
  }
  if (!text.isWellFormed()) throw new TypeError(`A key has a ${name} with half of a surrogate pair.`);
};

/** Checks that both parts of a key hold 1 to 1000 bytes of well-formed text. */
export const checkKey = (key: Key): void => {
  checkKeyText('pk', key.pk);
  checkKeyText('sk', key.sk);
};

/** Maps a key to one string; different keys have different strings. */
export const keyName = ({ pk, sk }: Key): string => `${pk.length}:${pk}${sk}`;

/** Checks that there are up to 100 keys, each valid and each named once. */
export const checkKeys = (keys: readonly Key[]): void => {
  if (keys.length > MAX_BATCH) throw new RangeError(`One call takes up to ${MAX_BATCH} keys, not ${keys.length}.`);
  for (const key of keys) checkKey(key);
  if (namesTwice(keys)) throw new RangeError('One call names a key twice.');
};

/** Most calls have one or two keys, and need no set. */
const namesTwice = (keys: readonly Key[]): boolean => {
  const [first, second, ...more] = keys;
  if (!first || !second) return false;
  if (more.length === 0) return first.sk === second.sk && first.pk === second.pk;
  return new Set(keys.map(keyName)).size < keys.length;
};

/** The key that a write concerns. */
export const keyOf = (write: Write): Key =>
  'put' in write ? write.put : 'remove' in write ? write.remove : write.check;

const checkWhole = (name: string, value: number | undefined): void => {
  if (value !== undefined && !Number.isSafeInteger(value)) throw new RangeError(`${name} is no whole number.`);
};

/** Checks a transaction: 1 to 100 writes on different valid keys, each expiry a whole number. */
export const checkWrites = (writes: readonly Write[]): void => {
  if (writes.length === 0) throw new RangeError('A transaction holds no write.');
  checkKeys(writes.map(keyOf));
  for (const write of writes) if ('put' in write) checkWhole('expires_at', write.put.expires_at);
};

/** Checks an increment: its key is valid, its step and its expiry are whole numbers. */
export const checkIncrement = (key: Key, by: number, options: IncrementOptions): void => {
  checkKey(key);
  checkWhole('The increment', by);
  checkWhole('expires_at', options.expires_at);
};

/** Checks a query: its partition key is valid, its limit is 1 to 1000, its bounds are well-formed text. */
export const checkQuery = ({ pk, limit, prefix = '', from = '', to = '', after = '' }: Query): void => {
  checkKeyText('pk', pk);
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE)) {
    throw new RangeError(`A page takes 1 to ${MAX_PAGE} items.`);
  }
  if (!(prefix.isWellFormed() && from.isWellFormed() && to.isWellFormed() && after.isWellFormed())) {
    throw new TypeError('A query names a sort key with half of a surrogate pair.');
  }
};

/** The data as the JSON to store. Throws ItemTooLarge if that holds more than 400,000 bytes. */
export const dataJson = (item: NewItem): string => {
  const json = JSON.stringify(item.data);
  if (Buffer.byteLength(json) > MAX_DATA_BYTES) {
    throw new ItemTooLarge(`An item has data of more than ${MAX_DATA_BYTES} bytes.`);
  }
  return json;
};
