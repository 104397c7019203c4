import { isSameJson } from '../../domain/shared/same-json.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import { SHARDS } from './keys/shared.ts';
import type { Item, KeyOf, NewItem, Partition, Query, Table, Write } from './table.ts';
import { MAX_PAGE } from './table-checks.ts';

export type WholeQuery<T extends object> = Omit<Query<T>, 'after'>;

/** Every item of a query, page after page. */
export async function* allItems<T extends object>(table: Table, query: WholeQuery<T>): AsyncGenerator<Item<T>> {
  let after: string | undefined;
  do {
    const page = await table.query<T>({ ...query, after });
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}

/** Every record of a query, in the order of the query. */
export const allRecords = async <T extends object>(table: Table, query: WholeQuery<T>): Promise<T[]> => {
  let page = await table.query<T>(query);
  const records = page.items.map((item) => item.data);
  while (page.next !== undefined) {
    page = await table.query<T>({ ...query, after: page.next });
    for (const item of page.items) records.push(item.data);
  }
  return records;
};

/** The first items of a query, in its order; at most `limit`. */
export const firstItems = async <T extends object>(
  table: Table,
  query: WholeQuery<T>,
  limit: number,
): Promise<Item<T>[]> => {
  const items: Item<T>[] = [];
  if (limit < 1) return items;
  for await (const item of allItems(table, { ...query, limit: Math.min(limit, MAX_PAGE) })) {
    items.push(item);
    if (items.length === limit) break;
  }
  return items;
};

/** Every record of a list that is spread over shards, shard after shard. A page has `limit` records, if it is given. */
export async function* recordsOfShards<T extends object>(
  table: Table,
  shardOf: (shard: number) => Partition<T>,
  limit?: number,
): AsyncGenerator<T> {
  for (let shard = 0; shard < SHARDS; shard++) {
    for await (const { data } of allItems(table, { ...shardOf(shard), limit })) yield data;
  }
}

/** The effect of saving a record. */
export type Saved = 'created' | 'updated' | 'unchanged';

/**
 * Writes the item over whatever is there, unless the same record is there already. `trace` makes the write of the audit
 * log's entry from the record that was there before. The loser of a race decides again.
 */
export const saveRecord = async (
  table: Table,
  item: NewItem,
  trace?: (before: object | undefined) => Write,
): Promise<Saved> => {
  const before = await table.get(item);
  if (before && isSameJson(before.data, item.data)) return 'unchanged';
  const condition = ifUnchanged(before?.version ?? null);
  const written = trace
    ? await table.transact([{ put: item, condition }, trace(before?.data)])
    : await table.put(item, condition);
  if (!written) return saveRecord(table, item, trace);
  return before ? 'updated' : 'created';
};

/** Replaces a record, unless it is absent or another write replaces it at the same time; then this does nothing. */
export const updateIfThere = async <T extends object>(
  table: Table,
  key: KeyOf<T>,
  update: (record: T) => NoInfer<T>,
): Promise<void> => {
  const item = await table.get(key);
  if (item) await table.put(itemOf(key, update(item.data)), { version: item.version });
};
