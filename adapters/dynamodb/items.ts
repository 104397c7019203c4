import type { Condition, Item, Key, NewItem } from '../store/table.ts';
import { COUNTERS, ESCAPED } from './partitions.ts';

/**
 * An item as DynamoDB stores it. `data` is a JSON string and not a map: any data within the table's limit then fits
 * DynamoDB's 400 KB (a list of empty lists grows by a third as a map), may nest deeper than 32 levels, and may have
 * fields with empty names. Both forms of this service's records cost the same capacity units: a map saves 10 to 20 % of
 * the bytes, but units count whole kilobytes. Parsing JSON takes a sixth of the time of reading a map.
 */
export type StoredItem = Key & { readonly version: string; readonly data: string; readonly ttl?: number };

/** The stored key of a counter. Counters have their own partitions, which no query for items reads. */
export const counterKey = ({ pk, sk }: Key): Key => ({ pk: COUNTERS + pk, sk });

/** The stored partition of an item: its own, with a prefix only if it looks like a counter's partition. */
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

/** The item of a stored one; `pk` is the partition that the caller requested. */
export const readItem = <T extends object>(pk: string, { sk, version, data, ttl }: StoredItem): Item<T> => ({
  pk,
  sk,
  version,
  data: JSON.parse(data),
  ...(ttl !== undefined && { expires_at: ttl }),
});

/** The fields that make a command conditional. */
type Clause = {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, string>;
};

/** The fields that run a command only under this condition. */
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
