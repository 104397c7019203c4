import { afterAll, expect, test } from 'vitest';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { StoredMessages } from '../../adapters/store/messages.ts';
import { StoredWebhookQueue } from '../../adapters/store/webhooks.ts';
import { systemIds } from '../../adapters/system/system.ts';
import { messagesContract } from '../contracts/messages.ts';
import { webhookQueueContract } from '../contracts/webhook-queue.ts';
import { anAccount } from '../support/account-builders.ts';
import { noNotices } from '../support/audited.ts';
import { put } from '../support/contents.ts';
import { payOrder, sendAll } from '../support/mail.ts';
import { memoryEngines } from '../support/memory-engines.ts';
import { memoryService } from '../support/service.ts';
import { newTable } from './support/tables.ts';

const tables: DynamodbTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));

messagesContract('StoredMessages on DynamodbTable', async (clock) => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return new StoredMessages({ table, clock, messageIds: systemIds() });
});

test('a message that SES refuses because it does not know the sender waits and counts as unsent', async () => {
  const mail = { way: 'ses', from: 'unknown@example.net' } as const;
  const service = memoryService({}, memoryEngines(), { mail });
  await put(service, { accounts: [anAccount()] });
  await payOrder(service);
  expect(await service.get('countUnsent')()).toEqual({ failed: 0, waiting: 0 });
  expect(await sendAll(service)).toEqual(['rests']);
  expect(await service.get('countUnsent')()).toEqual({ failed: 0, waiting: 1 });
  expect(await service.get('messages').waiting(9)).toMatchObject([
    { fault: expect.stringMatching(/unknown@example\.net/) },
  ]);
});
webhookQueueContract('StoredWebhookQueue on DynamodbTable', async (clock) => {
  const table = new DynamodbTable(await newTable());
  tables.push(table);
  return new StoredWebhookQueue({ table, clock, messageIds: systemIds(), notices: noNotices });
});
