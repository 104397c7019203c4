import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { IncrementOptions, Key } from '../store/table.ts';
import { counterKey } from './items.ts';

/** An increment in DynamoDB's form. Its answer holds the sum as `count`. */
export const incrementInput = (
  TableName: string,
  key: Key,
  by: number,
  { expires_at }: IncrementOptions,
): UpdateCommandInput => {
  const expires = expires_at !== undefined;
  return {
    TableName,
    Key: counterKey(key),
    UpdateExpression: `ADD #count :by${expires ? ' SET #ttl = :ttl' : ''}`,
    ExpressionAttributeNames: { '#count': 'count', ...(expires && { '#ttl': 'ttl' }) },
    ExpressionAttributeValues: { ':by': by, ...(expires && { ':ttl': expires_at }) },
    ReturnValues: 'UPDATED_NEW',
  };
};
