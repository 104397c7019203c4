import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredMessages } from '../../adapters/store/messages.ts';
import { StoredWebhookQueue } from '../../adapters/store/webhooks.ts';
import { systemIds } from '../../adapters/system/system.ts';
import { messagesContract } from '../contracts/messages.ts';
import { webhookQueueContract } from '../contracts/webhook-queue.ts';
import { noNotices } from '../support/audited.ts';
import { newFile, open } from './sqlite/folder.ts';

messagesContract(
  'StoredMessages on MemoryTable',
  (clock) => new StoredMessages({ table: new MemoryTable(), clock, messageIds: systemIds() }),
);
messagesContract(
  'StoredMessages on SqliteTable',
  (clock) => new StoredMessages({ table: open(newFile()), clock, messageIds: systemIds() }),
);
webhookQueueContract(
  'StoredWebhookQueue on MemoryTable',
  (clock) => new StoredWebhookQueue({ table: new MemoryTable(), clock, messageIds: systemIds(), notices: noNotices }),
);
webhookQueueContract(
  'StoredWebhookQueue on SqliteTable',
  (clock) => new StoredWebhookQueue({ table: open(newFile()), clock, messageIds: systemIds(), notices: noNotices }),
);
