import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { StoredJobs } from '../../adapters/store/jobs.ts';
import { jobsContract } from '../contracts/jobs.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

jobsContract('StoredJobs on DynamodbTable', async () => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return new StoredJobs(table);
});
