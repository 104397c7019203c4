import { afterAll } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { StoredPaymentEvents } from '../../adapters/store/payment-events.ts';
import { paymentEventsContract } from '../contracts/payment-events.ts';
import { noWebhooks } from '../support/audited.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

paymentEventsContract('StoredPaymentEvents on DynamodbTable', async (clock) => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return new StoredPaymentEvents({ table, clock, webhookWrites: noWebhooks });
});
