import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Attempt } from './calls.ts';
import { NothingProcessed } from './faults.ts';

/** The most that one call takes. */
export const MAX_WRITES = 25;

/**
 * Puts up to 25 items over whatever is there, as one attempt: sends again what an answer left out, and fails when an
 * answer has written nothing. Repeated, it goes on from where it failed.
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
