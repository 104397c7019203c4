import type { Condition, Item, Key, NewItem } from '../store/table.ts';

/**
 * An item as DynamoDB has it. `data` is a string of JSON and not a map: so data of every shape keeps within DynamoDB's
 * 400 KB when it does within the table's limit (a list of empty lists grows by a third as a map), may nest more than 32
 * levels deep and have members without a name. The records here take the same units either way, for a map saves 10 to
 * 20 % of their bytes and units count whole kilobytes; parsing JSON takes a sixth of the time of reading a map.
 */
export type StoredItem = Key & { readonly version: string; readonly data: string; readonly ttl?: number };

const COUNTERS = 'COUNTER#';
const ESCAPED = 'ITEM#';

/** Counters lie in partitions of their own, where no query for items meets them. */
export const counterKey = ({ pk, sk }: Key): Key => ({ pk: COUNTERS + pk, sk });

/** Items lie under their own key; only where that could be taken for a counter's is it marked as an item's. */
export const itemPartition = (pk: string): string =>
  pk.startsWith(COUNTERS) || pk.startsWith(ESCAPED) ? ESCAPED + pk : pk;

export const itemKey = ({ pk, sk }: Key): Key => ({ pk: itemPartition(pk), sk });

export const storedItem = (item: NewItem, version: string, data: string): StoredItem => ({
  ...itemKey(item),
  version,
  data,
  ...(item.expires_at !== undefined && { ttl: item.expires_at }),
});

/** The item under the partition key that it was asked for by. */
export const readItem = (pk: string, { sk, version, data, ttl }: StoredItem): Item => ({
  pk,
  sk,
  version,
  data: JSON.parse(data),
  ...(ttl !== undefined && { expires_at: ttl }),
});

/** The members of a command that make it hold only on a condition. */
type Clause = {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, string>;
};

export const onlyIf = (condition: Condition): Clause =>
  'absent' in condition
    ? { ConditionExpression: 'attribute_not_exists(#pk)', ExpressionAttributeNames: { '#pk': 'pk' } }
    : {
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':version': condition.version },
      };

/** A counter as DynamoDB has it. */
export type StoredCounter = Key & { readonly count: number; readonly ttl?: number };

/** The partition key that a counter or an item was given, of the one it lies under. */
export const counterPartitionOf = (stored: string): string => stored.slice(COUNTERS.length);
export const itemPartitionOf = (stored: string): string =>
  stored.startsWith(ESCAPED) ? stored.slice(ESCAPED.length) : stored;
