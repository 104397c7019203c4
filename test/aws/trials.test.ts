import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { StoredTrials } from '../../adapters/store/trials.ts';
import { trialsContract } from '../contracts/trials.ts';
import { audited } from '../support/audited.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

trialsContract('StoredTrials on DynamodbTable', async () => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return new StoredTrials(audited(table));
});
