import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { dynamodbClient } from '../../../adapters/dynamodb/client.ts';
import { DynamodbTable } from '../../../adapters/dynamodb/dynamodb-table.ts';
import { createTable } from '../../support/create-table.ts';

/** Creates an empty table and returns its name. */
export const newTable = async (): Promise<string> => {
  const name = `table-${randomUUID()}`;
  const client = dynamodbClient();
  await createTable(client, name);
  client.destroy();
  return name;
};

/** Opens a table at an address, and closes it when the test ends. */
export const openTable = (name: string, endpoint: string): DynamodbTable => {
  const table = new DynamodbTable(name, dynamodbClient({ endpoint }));
  onTestFinished(() => table.close());
  return table;
};
