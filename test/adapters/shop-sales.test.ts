import { expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredShopSales } from '../../adapters/store/order-sums.ts';
import { reportOf } from '../../domain/billing/sales-sums.ts';
import { shopSalesContract } from '../contracts/shop-sales.ts';
import { audited } from '../support/audited.ts';
import { newFile, open } from './sqlite/folder.ts';
import { start } from './sqlite/processes.ts';

shopSalesContract('MemoryTable', () => new MemoryTable());
shopSalesContract('SqliteTable', () => open(newFile()));

test('sales and refunds of several processes are all counted, while one rebuilds the sums', async () => {
  const file = newFile();
  const started = [1, 2, 3].map((n) => start('sell-and-refund.ts', file, String(n), '25'));
  const ended = await Promise.all(started.map((process) => process.ended));
  expect(ended).toEqual(started.map(() => ({ code: 0, lines: [], errors: '' })));
  const table = open(file);
  const sales = new StoredShopSales({ ...audited(table), tableScan: table });
  const gross = 75 * 1900;
  expect(reportOf(await sales.sums('2000-01-01', '2100-01-01')).totals).toMatchObject([
    { orders: 75, gross_cents: gross, refunded_cents: gross },
  ]);
  expect(await sales.examine(null)).toEqual({ orders: 0, sums: 0 });
});
