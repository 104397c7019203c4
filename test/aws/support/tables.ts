import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { dynamodbClient } from '../../../adapters/dynamodb/client.ts';
import { createTable } from '../../../adapters/dynamodb/create-table.ts';
import { DynamodbTable } from '../../../adapters/dynamodb/dynamodb-table.ts';

/** Makes an empty table; its name. */
export const newTable = async (): Promise<string> => {
  const name = `table-${randomUUID()}`;
  const client = dynamodbClient();
  await createTable(client, name);
  client.destroy();
  return name;
};

/** A table behind that address, until the test is over. */
export const openTable = (name: string, endpoint: string): DynamodbTable => {
  const table = new DynamodbTable(name, dynamodbClient({ endpoint }));
  onTestFinished(() => table.close());
  return table;
};
