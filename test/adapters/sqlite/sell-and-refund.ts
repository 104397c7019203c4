/**
 * Saves the given number of orders and then each as refunded; the first process also builds the sums again after each.
 * Arguments: FILE PROCESS TIMES.
 */
import { openSqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';
import { StoredBillingRecords } from '../../../adapters/store/billing.ts';
import { StoredShopSales } from '../../../adapters/store/order-sums.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { audited } from '../../support/audited.ts';
import { anOrder } from '../../support/builders.ts';

const [file = '', number, times] = process.argv.slice(2);
const table = openSqliteTable(file);
const records = new StoredBillingRecords(audited(table));
const sales = new StoredShopSales({ ...audited(table), tableScan: table });

for (let n = 0; n < Number(times); n++) {
  const order = anOrder({
    id: Number(number) * 8000 + n,
    account_id: Number(number),
    ordered_at: '2026-11-02T10:00:00.000Z',
  });
  await records.saveOrder(grantPermit(), order);
  const refund = { refunded_at: '2026-11-03T10:00:00.000Z', item_ids: null, keeps_access: false, reason: null };
  await records.saveOrder(grantPermit(), { ...order, refunds: [refund] });
  if (number === '1') await sales.examine(grantPermit());
}
await table.close();
