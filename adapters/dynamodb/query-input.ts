import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Query } from '../store/table.ts';
import { MAX_KEY_BYTES } from '../store/table-checks.ts';
import { itemKey, itemPartition } from './items.ts';

/** The sort keys that a query may find, as a condition of DynamoDB. */
type KeyRange = {
  /** The condition on `#sk`; undefined where the query takes every sort key. */
  readonly expression: string | undefined;
  /** The values that the condition names. */
  readonly values: Readonly<Record<string, string>>;
  /** The sort key after which the page begins. */
  readonly after: string | undefined;
};

/** The order of UTF-8 bytes, in which DynamoDB keeps sort keys. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const LAST_CHARACTER = '\u{10ffff}';

/**
 * A text at or after every sort key with this prefix: the prefix and so many last characters that no key is as long.
 */
const lastWith = (prefix: string): string =>
  prefix + LAST_CHARACTER.repeat(Math.floor((MAX_KEY_BYTES - Buffer.byteLength(prefix)) / 4) + 1);

/** The highest sort key that a query may find; undefined where there is no bound. */
const highest = (prefix: string, to: string | undefined): string | undefined => {
  if (prefix === '') return to;
  const last = lastWith(prefix);
  return to !== undefined && compare(to, last) < 0 ? to : last;
};

/** The one condition on the sort key that DynamoDB takes, without an empty text, which it refuses. */
const conditionOf = (
  { prefix = '', from = '', to }: Query,
  low: string,
  high: string | undefined,
): Omit<KeyRange, 'after'> => {
  if (prefix !== '' && from === '' && to === undefined) {
    return { expression: 'begins_with(#sk, :prefix)', values: { ':prefix': prefix } };
  }
  if (low !== '' && high !== undefined) {
    return { expression: '#sk BETWEEN :low AND :high', values: { ':low': low, ':high': high } };
  }
  if (low !== '') return { expression: '#sk >= :low', values: { ':low': low } };
  return high === undefined
    ? { expression: undefined, values: {} }
    : { expression: '#sk <= :high', values: { ':high': high } };
};

/** The range in which a query looks; undefined where it can find nothing. */
const keyRange = (query: Query): KeyRange | undefined => {
  const { prefix = '', from = '', to, after, descending = false } = query;
  if (Buffer.byteLength(prefix) > MAX_KEY_BYTES) return undefined;
  const low = compare(prefix, from) > 0 ? prefix : from;
  const high = highest(prefix, to);
  if (high === '' || (high !== undefined && compare(low, high) > 0)) return undefined;
  const condition = conditionOf(query, low, high);
  if (after === undefined) return { ...condition, after };
  const fromLow = compare(after, low);
  const fromHigh = high === undefined ? -1 : compare(after, high);
  if (descending ? fromLow <= 0 : fromHigh >= 0) return undefined;
  // DynamoDB refuses a start outside the range of the condition.
  const isOutside = descending ? fromHigh > 0 : fromLow < 0 || after === '';
  return { ...condition, after: isOutside ? undefined : after };
};

/** A query in DynamoDB's form; undefined where it can find nothing. */
export const queryInput = (TableName: string, query: Query): QueryCommandInput | undefined => {
  const { pk, descending = false, limit, consistent = true } = query;
  const range = keyRange(query);
  if (!range) return undefined;
  const { expression, values, after } = range;
  return {
    TableName,
    KeyConditionExpression: expression === undefined ? '#pk = :pk' : `#pk = :pk AND ${expression}`,
    ExpressionAttributeNames: { '#pk': 'pk', ...(expression !== undefined && { '#sk': 'sk' }) },
    ExpressionAttributeValues: { ':pk': itemPartition(pk), ...values },
    ScanIndexForward: !descending,
    ConsistentRead: consistent,
    ...(limit !== undefined && { Limit: limit }),
    ...(after !== undefined && { ExclusiveStartKey: itemKey({ pk, sk: after }) }),
  };
};
