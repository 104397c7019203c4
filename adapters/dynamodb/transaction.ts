import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { ItemTooLarge, type Write } from '../store/table.ts';
import { dataJson } from '../store/table-checks.ts';
import { itemKey, onlyIf, storedItem } from './items.ts';

/** The most bytes of all items that one transaction writes. */
const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024;

type Step = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const stepOf = (TableName: string, write: Write, newVersion: () => string): Step => {
  const condition = write.condition && onlyIf(write.condition);
  if ('put' in write) {
    return { Put: { TableName, Item: storedItem(write.put, newVersion(), dataJson(write.put)), ...condition } };
  }
  if ('remove' in write) return { Delete: { TableName, Key: itemKey(write.remove), ...condition } };
  return { ConditionCheck: { TableName, Key: itemKey(write.check), ...onlyIf(write.condition) } };
};

/** The writes as steps of a DynamoDB transaction. Throws ItemTooLarge where their items exceed 4 MB together. */
export const stepsOf = (tableName: string, writes: readonly Write[], newVersion: () => string): Step[] => {
  const steps = writes.map((write) => stepOf(tableName, write, newVersion));
  const bytes = steps.reduce(
    (sum, { Put }) => sum + (Put ? Buffer.byteLength(Object.values(Put.Item ?? {}).join()) : 0),
    0,
  );
  if (bytes > MAX_TRANSACTION_BYTES) throw new ItemTooLarge('A transaction writes more than 4 MB.');
  return steps;
};
