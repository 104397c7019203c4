import type { Condition, Item, Key, NewItem } from '../store/table.ts';
import { COUNTERS, ESCAPED } from './partitions.ts';

/**
 * An item as DynamoDB stores it. `data` is a string of JSON and not a map. So data of every shape that keeps to the
 * table's limit also keeps to DynamoDB's 400 KB (a list of empty lists grows by a third as a map), and it may nest more
 * than 32 levels deep and have members with empty names. The records of this service take the same capacity units
 * either way: a map saves 10 to 20 % of their bytes, but units count whole kilobytes. Parsing JSON takes a sixth of the
 * time of reading a map.
 */
export type StoredItem = Key & { readonly version: string; readonly data: string; readonly ttl?: number };

/** The stored key of a counter. Counters have partitions of their own, where no query for items meets them. */
export const counterKey = ({ pk, sk }: Key): Key => ({ pk: COUNTERS + pk, sk });

/** The stored partition of an item: its own, with a mark only where that looks like the partition of a counter. */
export const itemPartition = (pk: string): string =>
  pk.startsWith(COUNTERS) || pk.startsWith(ESCAPED) ? ESCAPED + pk : pk;

export const itemKey = ({ pk, sk }: Key): Key => ({ pk: itemPartition(pk), sk });

/** The item as DynamoDB stores it; `data` is its data as JSON. */
export const storedItem = (item: NewItem, version: string, data: string): StoredItem => ({
  ...itemKey(item),
  version,
  data,
  ...(item.expires_at !== undefined && { ttl: item.expires_at }),
});

/** The item that a stored one stands for; `pk` is the partition that the caller asked for. */
export const readItem = <T extends object>(pk: string, { sk, version, data, ttl }: StoredItem): Item<T> => ({
  pk,
  sk,
  version,
  data: JSON.parse(data),
  ...(ttl !== undefined && { expires_at: ttl }),
});

/** The members that make a command conditional. */
type Clause = {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, string>;
};

/** The clause that makes a command hold only on this condition. */
export const onlyIf = (condition: Condition): Clause =>
  'absent' in condition
    ? { ConditionExpression: 'attribute_not_exists(#pk)', ExpressionAttributeNames: { '#pk': 'pk' } }
    : {
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':version': condition.version },
      };

export type StoredCounter = Key & { readonly count: number; readonly ttl?: number };

export const counterPartitionOf = (stored: string): string => stored.slice(COUNTERS.length);

export const itemPartitionOf = (stored: string): string =>
  stored.startsWith(ESCAPED) ? stored.slice(ESCAPED.length) : stored;
