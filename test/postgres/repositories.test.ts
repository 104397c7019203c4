import { afterAll } from 'vitest';
import { PostgresTable } from '../../adapters/postgres/postgres-table.ts';
import { StoredDevices } from '../../adapters/store/devices.ts';
import { StoredJobs } from '../../adapters/store/jobs.ts';
import { StoredLeases } from '../../adapters/store/leases.ts';
import { StoredMessages } from '../../adapters/store/messages.ts';
import { StoredPaymentEvents } from '../../adapters/store/payment-events.ts';
import { StoredTrials } from '../../adapters/store/trials.ts';
import { StoredWebhookQueue } from '../../adapters/store/webhooks.ts';
import { systemIds } from '../../adapters/system/system.ts';
import { devicesContract } from '../contracts/devices.ts';
import { galleryContract } from '../contracts/gallery.ts';
import { jobsContract } from '../contracts/jobs.ts';
import { keyBatchesContract } from '../contracts/key-batches.ts';
import { leasesContract } from '../contracts/leases.ts';
import { licensesContract } from '../contracts/licenses.ts';
import { messagesContract } from '../contracts/messages.ts';
import { paymentEventsContract } from '../contracts/payment-events.ts';
import { shopSalesContract } from '../contracts/shop-sales.ts';
import { teamsContract } from '../contracts/teams.ts';
import { transfersContract } from '../contracts/transfers.ts';
import { trialsContract } from '../contracts/trials.ts';
import { webhookQueueContract } from '../contracts/webhook-queue.ts';
import { audited, noNotices, noWebhooks } from '../support/audited.ts';
import { galleryOn } from '../support/gallery/gallery-on.ts';
import { GRANTS, licensesOn } from '../support/licenses-at-work.ts';
import { teamsOn } from '../support/teams-on.ts';
import { newDatabase } from './databases.ts';

const tables: PostgresTable[] = [];
afterAll(() => Promise.all(tables.map((table) => table.close())));
const newTable = async (): Promise<PostgresTable> => {
  const table = await PostgresTable.open(await newDatabase());
  tables.push(table);
  return table;
};

const [[kind, grants]] = GRANTS;
devicesContract('StoredDevices on PostgresTable', async () => new StoredDevices(audited(await newTable())));
leasesContract('StoredLeases on PostgresTable', async () => new StoredLeases(audited(await newTable())));
galleryContract('StoredGallery on PostgresTable', async () => galleryOn(await newTable()));
jobsContract('StoredJobs on PostgresTable', async () => new StoredJobs(await newTable()));
licensesContract(`StoredLicenses on PostgresTable with ${kind}`, async () => licensesOn(await newTable(), grants));
messagesContract(
  'StoredMessages on PostgresTable',
  async (clock) => new StoredMessages({ table: await newTable(), clock, messageIds: systemIds() }),
);
paymentEventsContract(
  'StoredPaymentEvents on PostgresTable',
  async (clock) => new StoredPaymentEvents({ table: await newTable(), clock, webhookWrites: noWebhooks }),
);
shopSalesContract('PostgresTable', newTable);
keyBatchesContract('PostgresTable', newTable);
teamsContract('StoredTeams on PostgresTable', async () => teamsOn(await newTable()));
transfersContract('PostgresTable', newTable);
trialsContract('StoredTrials on PostgresTable', async () => new StoredTrials(audited(await newTable())));
webhookQueueContract(
  'StoredWebhookQueue on PostgresTable',
  async (clock) =>
    new StoredWebhookQueue({ table: await newTable(), clock, messageIds: systemIds(), notices: noNotices }),
);
