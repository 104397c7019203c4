import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../store/table.ts';
import { keyName } from '../store/table-checks.ts';
import type { Attempt } from './calls.ts';
import { NothingProcessed } from './faults.ts';
import type { StoredItem } from './items.ts';

/**
 * An attempt to read up to 100 items, which it returns by their `keyName`. It asks again for the items that an answer
 * left out, as an answer does beyond 16 MB, and throws NothingProcessed after an answer that brought none. A repeated
 * attempt goes on from where it failed.
 */
export const batchReader = (
  client: DynamoDBDocumentClient,
  tableName: string,
  keys: readonly Key[],
  consistent: boolean,
): Attempt<ReadonlyMap<string, StoredItem>> => {
  const found = new Map<string, StoredItem>();
  let left = [...keys];
  return async (options) => {
    while (left.length > 0) {
      const request = { [tableName]: { Keys: left, ConsistentRead: consistent } };
      const answer = await client.send(new BatchGetCommand({ RequestItems: request }), options);
      for (const item of answer.Responses?.[tableName] ?? [])
        found.set(keyName(item as StoredItem), item as StoredItem);
      const unprocessed = (answer.UnprocessedKeys?.[tableName]?.Keys ?? []) as Key[];
      if (unprocessed.length === left.length) throw new NothingProcessed('A batch brought no item.');
      left = unprocessed;
    }
    return found;
  };
};
