import type { Condition, IncrementOptions, Item, Key, NewItem, Page, Query, ReadOptions, Table } from './table.ts';

/** Marks a key with the type of the record under it. No object has such a property. */
declare const RECORD: unique symbol;

/** The key of a record of type T. A plain `Key` passes as the key of any record. */
export type KeyOf<T extends object> = Key & { readonly [RECORD]?: T };

/** The key of a counter, which no call for items takes. A plain `Key` passes too. */
export type CounterKey = Key & { readonly [RECORD]?: 'counter' };

export type Partition<T extends object = object> = Pick<Query, 'pk' | 'prefix' | 'from' | 'to'> & {
  readonly [RECORD]?: T;
};

export type TypedQuery<T extends object = object> = Query & Partition<T>;

/** An item to write. It takes a plain key only; `itemOf` makes one from the key of a record. */
export type TypedItem = NewItem & { readonly [RECORD]?: never };

export type TypedWrite =
  | { readonly put: TypedItem; readonly condition?: Condition | undefined }
  | { readonly remove: Key; readonly condition?: Condition | undefined }
  | { readonly check: Key; readonly condition: Condition };

/** The items of a list of keys: the item of each key, or undefined, in the place of the key. */
export type Items<K extends readonly Key[]> = {
  -readonly [I in keyof K]: (K[I] extends KeyOf<infer T extends object> ? Item<T> : Item) | undefined;
};

/**
 * Any table, as the repositories see it: a key has the type of its record, which exists for the compiler alone. The
 * second, plain form of each read lets the compiler take every `Table` for one.
 */
export interface TypedTable extends Pick<Table, 'remove' | 'ping' | 'close'> {
  get<T extends object>(key: KeyOf<T>, options?: ReadOptions): Promise<Item<T> | undefined>;
  get(key: KeyOf<object>, options?: ReadOptions): Promise<Item | undefined>;
  getMany<const K extends readonly Key[]>(keys: K, options?: ReadOptions): Promise<Items<K>>;
  getMany(keys: readonly Key[], options?: ReadOptions): Promise<(Item | undefined)[]>;
  query<T extends object>(query: TypedQuery<T>): Promise<Page<T>>;
  query(query: TypedQuery): Promise<Page>;
  put(item: TypedItem, condition?: Condition): Promise<boolean>;
  increment(key: CounterKey, by: number, options?: IncrementOptions): Promise<number>;
  transact(writes: readonly TypedWrite[], options?: Parameters<Table['transact']>[1]): Promise<boolean>;
}
