import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { ownedRecordsContract } from '../contracts/owned-records.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

ownedRecordsContract('DynamodbTable', async () => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return table;
});
