import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredPaymentEvents } from '../../adapters/store/payment-events.ts';
import { paymentEventsContract } from '../contracts/payment-events.ts';
import { noWebhooks } from '../support/audited.ts';
import { newFile, open } from './sqlite/folder.ts';

paymentEventsContract(
  'StoredPaymentEvents on MemoryTable',
  (clock) => new StoredPaymentEvents({ table: new MemoryTable(), clock, webhookWrites: noWebhooks }),
);
paymentEventsContract(
  'StoredPaymentEvents on SqliteTable',
  (clock) => new StoredPaymentEvents({ table: open(newFile()), clock, webhookWrites: noWebhooks }),
);
