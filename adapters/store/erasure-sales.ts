import type { Permit } from '../../domain/access/permit.ts';
import { erasedInvoice, erasedOrder } from '../../domain/billing/erased-sale.ts';
import { emptied } from './emptied.ts';
import { billingKeys } from './keys/billing.ts';
import { allItems } from './records.ts';
import type { Table } from './table.ts';

/**
 * Erases the links and reasons of an account's orders and invoices, or counts the records that have some where there is
 * no permit. A call that broke off can be repeated.
 */
export const eraseSales = async (table: Table, permit: Permit | null, accountId: number): Promise<number> => {
  let count = 0;
  for await (const { data } of allItems(table, billingKeys.orders(accountId))) {
    count += await emptied(table, permit, billingKeys.order(accountId, data.id), erasedOrder);
  }
  for await (const { data } of allItems(table, billingKeys.invoices(accountId))) {
    count += await emptied(table, permit, billingKeys.invoice(accountId, data.id), erasedInvoice);
  }
  return count;
};
