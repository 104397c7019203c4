import type { PutCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Condition } from '../store/table.ts';
import { onlyIf, type StoredItem } from './items.ts';

/** A put in DynamoDB's form. Where its condition fails, the answer holds the item in the way. */
export const putInput = (TableName: string, Item: StoredItem, condition: Condition | undefined): PutCommandInput => ({
  TableName,
  Item,
  ...(condition && { ...onlyIf(condition), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
});
