import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Query } from '../store/table.ts';
import { itemKey, itemPartition } from './items.ts';
import { keyRange } from './key-range.ts';

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
