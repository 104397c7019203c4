import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { StoredDailyBounds } from '../../adapters/store/daily-bounds.ts';
import { dailyBoundsContract } from '../contracts/daily-bounds.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

dailyBoundsContract('StoredDailyBounds on DynamodbTable', async () => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return new StoredDailyBounds(table);
});
