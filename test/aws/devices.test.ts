import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { StoredDevices } from '../../adapters/store/devices.ts';
import { devicesContract } from '../contracts/devices.ts';
import { audited } from '../support/audited.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

devicesContract('StoredDevices on DynamodbTable', async () => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return new StoredDevices(audited(table));
});
