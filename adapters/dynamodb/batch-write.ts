import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Attempt } from './calls.ts';
import { NothingProcessed } from './faults.ts';

/** The most items that one call takes. */
export const MAX_WRITES = 25;

/**
 * An attempt to put up to 25 items over whatever is there. It sends the items again that an answer left out, and throws
 * NothingProcessed after an answer that wrote none. A repeated attempt goes on from where it failed.
 */
export const batchWriter = (
  client: DynamoDBDocumentClient,
  tableName: string,
  items: readonly object[],
): Attempt<void> => {
  let left = items.map((Item) => ({ PutRequest: { Item: { ...Item } } }));
  return async (options) => {
    while (left.length > 0) {
      const command = new BatchWriteCommand({ RequestItems: { [tableName]: left } });
      const { UnprocessedItems } = await client.send(command, options);
      const unprocessed = (UnprocessedItems?.[tableName] ?? []) as typeof left;
      if (unprocessed.length === left.length) throw new NothingProcessed('A batch wrote no item.');
      left = unprocessed;
    }
  };
};
