import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { StoredMessages } from '../../adapters/store/messages.ts';
import { systemIds } from '../../adapters/system/system.ts';
import { messagesContract } from '../contracts/messages.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

messagesContract('StoredMessages on DynamodbTable', async (clock) => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return new StoredMessages({ table, clock, messageIds: systemIds() });
});
