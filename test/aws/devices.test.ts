import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { StoredDevices } from '../../adapters/store/devices.ts';
import { StoredLeases } from '../../adapters/store/leases.ts';
import { devicesContract } from '../contracts/devices.ts';
import { keyBatchesContract } from '../contracts/key-batches.ts';
import { leasesContract } from '../contracts/leases.ts';
import { transfersContract } from '../contracts/transfers.ts';
import { audited } from '../support/audited.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

const open = async () => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return table;
};
const parts = async () => audited(await open());

devicesContract('StoredDevices on DynamodbTable', async () => new StoredDevices(await parts()));
leasesContract('StoredLeases on DynamodbTable', async () => new StoredLeases(await parts()));
keyBatchesContract('DynamodbTable', open);
transfersContract('DynamodbTable', open);
