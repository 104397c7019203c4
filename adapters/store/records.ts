import { isDeepStrictEqual } from 'node:util';
import type { Item, Key, NewItem, Query, Table } from './table.ts';

/** Every item of a query, page after page. */
export async function* allItems(table: Table, query: Omit<Query, 'after'>): AsyncGenerator<Item> {
  let after: string | undefined;
  do {
    const page = await table.query({ ...query, after });
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}

/** The records of a query, as their repository stored them. */
export const allRecords = async <T>(table: Table, query: Omit<Query, 'after'>): Promise<T[]> => {
  let page = await table.query(query);
  const records = page.items.map((item) => item.data as T);
  while (page.next !== undefined) {
    page = await table.query({ ...query, after: page.next });
    for (const item of page.items) records.push(item.data as T);
  }
  return records;
};

/** The form in which a record comes back from any engine. */
const asStored = (data: object): unknown => JSON.parse(JSON.stringify(data));

/** Writes a record unless it is already there, the same. */
export const saveRecord = async (table: Table, item: NewItem): Promise<'created' | 'updated' | 'unchanged'> => {
  const before = await table.get(item);
  if (before && isDeepStrictEqual(before.data, asStored(item.data))) return 'unchanged';
  await table.put(item);
  return before ? 'updated' : 'created';
};

/** Replaces an item only while it is the one that `make` was shown; does nothing where it is gone. */
export const updateIfThere = async <T>(table: Table, key: Key, make: (data: T) => object): Promise<void> => {
  const item = await table.get(key);
  if (item) await table.put({ ...key, data: make(item.data as T) }, { version: item.version });
};
