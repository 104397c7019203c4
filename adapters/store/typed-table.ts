import type { Condition, IncrementOptions, Item, Key, NewItem, Page, Query, ReadOptions, Table } from './table.ts';

/** Marks a key with the type of its record. No object has this property at run time. */
declare const RECORD: unique symbol;

/** The key of a record of type T. A plain `Key` passes as the key of any record. */
export type KeyOf<T extends object> = Key & { readonly [RECORD]?: T };

/** The key of a counter, which calls for items do not accept. A plain `Key` passes too. */
export type CounterKey = Key & { readonly [RECORD]?: 'counter' };

export type Partition<T extends object = object> = Pick<Query, 'pk' | 'prefix' | 'from' | 'to'> & {
  readonly [RECORD]?: T;
};

export type TypedQuery<T extends object = object> = Query & Partition<T>;

/** An item to write. It accepts a plain key only; `itemOf` creates one from the key of a record. */
export type TypedItem = NewItem & { readonly [RECORD]?: never };

export type TypedWrite =
  | { readonly put: TypedItem; readonly condition?: Condition | undefined }
  | { readonly remove: Key; readonly condition?: Condition | undefined }
  | { readonly check: Key; readonly condition: Condition };

/** The items for a list of keys, in the same order; undefined for a missing item. */
export type Items<K extends readonly Key[]> = {
  -readonly [I in keyof K]: (K[I] extends KeyOf<infer T extends object> ? Item<T> : Item) | undefined;
};

/**
 * Any table, as the repositories see it: a key has the type of its record, for the compiler only. The second, plain
 * overload of each read makes every `Table` assignable to it.
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
