import { isSameJson } from '../../domain/shared/same-json.ts';
import { accountKeys } from './keys/accounts.ts';
import { SHARDS } from './keys/shared.ts';
import type { Condition, IncrementOptions, Item } from './table.ts';
import { MAX_BATCH, MAX_PAGE } from './table-checks.ts';
import type { CounterKey, KeyOf, Partition, TypedItem, TypedQuery, TypedTable, TypedWrite } from './typed-table.ts';

type WholeQuery<T extends object> = Omit<TypedQuery<T>, 'after'>;

export async function* allItems<T extends object>(table: TypedTable, query: WholeQuery<T>): AsyncGenerator<Item<T>> {
  let after: string | undefined;
  do {
    const page = await table.query<T>({ ...query, after });
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}

/** Every record of a query, in its order. */
export const allRecords = async <T extends object>(table: TypedTable, query: WholeQuery<T>): Promise<T[]> => {
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
  table: TypedTable,
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

/**
 * The records that a list's entries name and that pass, in the list's order; at most `limit`. They are read up to 100
 * at a time. `elsewhere` finds a record that has moved since its entry was read.
 */
export const listedRecords = async <E, T extends object>(
  table: TypedTable,
  entries: AsyncIterable<E>,
  keyOf: (entry: E) => KeyOf<T>,
  passes: (record: T, entry: E) => boolean,
  limit: number,
  elsewhere: (entry: E) => Promise<T | undefined> = async () => undefined,
): Promise<T[]> => {
  const found: T[] = [];
  let read: E[] = [];
  const load = async () => {
    const items = (await table.getMany(read.map(keyOf))) as (Item<T> | undefined)[];
    const records = await Promise.all(items.map((item, n) => item?.data ?? elsewhere(read[n] as E)));
    found.push(...records.flatMap((record, n) => (record && passes(record, read[n] as E) ? record : [])));
    read = [];
  };
  for await (const entry of entries) {
    if (read.push(entry) === MAX_BATCH || found.length + read.length >= limit) await load();
    if (found.length >= limit) return found;
  }
  if (read.length > 0) await load();
  return found;
};

/** The records of a query, in its order. */
export async function* recordsOf<T extends object>(table: TypedTable, query: WholeQuery<T>): AsyncGenerator<T> {
  for await (const { data } of allItems(table, query)) yield data;
}

export const everyShard = <T>(of: (shard: number) => T): T[] => Array.from({ length: SHARDS }, (_, shard) => of(shard));

/** Merges sorted lists of records. The lists are read in parallel, page by page. */
export async function* merged<T>(lists: readonly AsyncIterator<T>[], compare: (a: T, b: T) => number) {
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    let first: number | undefined;
    for (const [n, head] of heads.entries()) {
      const best = first === undefined ? undefined : heads[first];
      if (!head.done && (!best || best.done || compare(head.value, best.value) < 0)) first = n;
    }
    if (first === undefined) return;
    yield (heads[first] as IteratorYieldResult<T>).value;
    heads[first] = await (lists[first] as AsyncIterator<T>).next();
  }
}

/** Every record of a sharded list, shard after shard. `limit` is the page size. */
export async function* recordsOfShards<T extends object>(
  table: TypedTable,
  shardOf: (shard: number) => Partition<T>,
  limit?: number,
): AsyncGenerator<T> {
  for (let shard = 0; shard < SHARDS; shard++) yield* recordsOf(table, { ...shardOf(shard), limit });
}

export type SaveEffect = 'created' | 'updated' | 'unchanged';

/**
 * Writes the item over the existing one, unless both are equal. `trace` creates the audit entry's write from the
 * previous record. The loser of a race decides again.
 */
export const saveRecord = async (
  table: TypedTable,
  item: TypedItem,
  trace?: (before: object | undefined) => TypedWrite,
): Promise<SaveEffect> => {
  const before = await table.get(item);
  if (before && isSameJson(before.data, item.data)) return 'unchanged';
  const condition = ifUnchanged(before?.version ?? null);
  const written = trace
    ? await table.transact([{ put: item, condition }, trace(before?.data)])
    : await table.put(item, condition);
  if (!written) return saveRecord(table, item, trace);
  return before ? 'updated' : 'created';
};

/** Replaces a record. Does nothing if it is absent or another write replaces it at the same time. */
export const updateIfThere = async <T extends object>(
  table: TypedTable,
  key: KeyOf<T>,
  update: (record: T) => NoInfer<T>,
): Promise<void> => {
  const item = await table.get(key);
  if (item) await table.put(itemOf(key, update(item.data)), { version: item.version });
};

/**
 * The item that holds a record under its key. It compiles only for a record of the key's own type.
 * `expiresAt` is in Unix seconds; without it the item does not expire.
 */
export const itemOf = <T extends object>(key: KeyOf<T>, data: NoInfer<T>, expiresAt?: number): TypedItem => ({
  pk: key.pk,
  sk: key.sk,
  data,
  expires_at: expiresAt,
});

/**
 * The condition that an item is unchanged since the read: it has the same version, or is still absent if the read found
 * none (`version` is null). Such a write loses to every other write of the item since the read.
 */
export const ifUnchanged = (version: string | null): Condition => (version === null ? { absent: true } : { version });

/**
 * The condition that an account was not erased. Each transaction that creates a sign-in method, a session or a key, or
 * stores a text of the owner, includes it, so that a request that read the account before its erasure writes none.
 */
export const notErased = (account_id: number): TypedWrite => ({
  check: accountKeys.erasure(account_id),
  condition: { absent: true },
});

/** The number of counters read concurrently. */
const AT_ONCE = 20;

/**
 * The counts in the order of their keys; 0 for a counter that was never incremented. A table reads a counter only by
 * incrementing it, so this adds 0, and `expires_at` replaces the expiry of each counter.
 */
export const readCounts = async (
  table: TypedTable,
  keys: readonly CounterKey[],
  options: Pick<IncrementOptions, 'expires_at'> = {},
): Promise<number[]> => {
  const counts: number[] = [];
  for (const chunk of chunksOf(keys, AT_ONCE)) {
    const read = chunk.map((key) => table.increment(key, 0, { ...options, volatile: true }));
    counts.push(...(await Promise.all(read)));
  }
  return counts;
};

/** Splits the list into lists of `size` elements, in order; the last one may be shorter. */
export const chunksOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));
