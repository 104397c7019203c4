import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredBillingRecords, StoredInvoices, StoredOrders } from '../../adapters/store/billing.ts';
import type { Page, Query } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { audited } from '../support/audited.ts';
import { anInvoice, anOrder } from '../support/builders.ts';

/** A table that records its queries. */
class WatchedTable extends MemoryTable {
  readonly queries: Query[] = [];

  override query(query: Query): Promise<Page> {
    this.queries.push(query);
    return super.query(query);
  }
}

let table: WatchedTable;
let records: StoredBillingRecords;

beforeEach(() => {
  table = new WatchedTable();
  records = new StoredBillingRecords(audited(table));
});

describe('stored invoices', () => {
  const newest = async (input: Parameters<StoredInvoices['newest']>[1]): Promise<number[]> =>
    (await new StoredInvoices(table).newest(1, input)).map(({ id }) => id);

  beforeEach(async () => {
    for (let id = 1; id <= 30; id++)
      await records.saveInvoice(grantPermit(), anInvoice({ id, status: id % 2 ? 'paid' : 'void' }));
    await records.saveInvoice(grantPermit(), anInvoice({ id: 31, account_id: 2 }));
  });

  test('invoices are read in one query for exactly the requested number', async () => {
    expect(await newest({ limit: 3, before: 10 })).toEqual([9, 8, 7]);
    expect(table.queries).toMatchObject([{ limit: 3, descending: true }]);
  });

  test('invoices of one status are read in one query and limited to the requested number', async () => {
    expect(await newest({ limit: 3, passes: ({ status }) => status === 'void' })).toEqual([30, 28, 26]);
    expect(table.queries).toHaveLength(1);
  });

  test('stored invoices include only the account’s own', async () => {
    expect((await newest({ limit: 99 })).length).toBe(30);
  });
});

test('an order is found only in its own account', async () => {
  await records.saveOrder(grantPermit(), anOrder({ id: 5 }));
  const orders = new StoredOrders(table);
  expect([(await orders.find(1, 5))?.id, await orders.find(2, 5)]).toEqual([5, undefined]);
});
