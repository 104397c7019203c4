import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamodbClient } from '../../../adapters/dynamodb/client.ts';
import { storedItem } from '../../../adapters/dynamodb/items.ts';
import type { NewItem } from '../../../adapters/store/table.ts';
import { dataJson } from '../../../adapters/store/table-checks.ts';

const BATCH = 25;
const WORKERS = 8;
const TRIES = 20;

function* batchesOf(items: Iterable<NewItem>): Generator<NewItem[]> {
  let batch: NewItem[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Writes items directly to a table, eight batches at a time. No two items may have the same key. */
export const writeItems = async (tableName: string, items: Iterable<NewItem>): Promise<void> => {
  const client = DynamoDBDocumentClient.from(dynamodbClient({ maxAttempts: TRIES }));
  const batches = batchesOf(items);
  const writeBatch = async (batch: readonly NewItem[]): Promise<void> => {
    let left: object[] = batch.map((item) => ({ PutRequest: { Item: storedItem(item, 'filled', dataJson(item)) } }));
    for (let n = 0; left.length > 0; n++) {
      if (n === TRIES) throw new Error(`${left.length} items could not be written.`);
      const { UnprocessedItems } = await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: left } }));
      left = UnprocessedItems?.[tableName] ?? [];
    }
  };
  const work = async (): Promise<void> => {
    for (let next = batches.next(); !next.done; next = batches.next()) await writeBatch(next.value);
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  client.destroy();
};
