import type { Permit } from '../../domain/access/permit.ts';
import { erasedInvoice, erasedOrder } from '../../domain/billing/erased-sale.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { itemOf } from './item-of.ts';
import { billingKeys } from './keys/billing.ts';
import { allItems } from './records.ts';
import type { KeyOf, Table } from './table.ts';

/** Writes the emptied record, or counts it where there is no permit; 0 where it is empty. It decides again after a race. */
const emptied = async <T extends object>(
  table: Table,
  permit: Permit | null,
  key: KeyOf<T>,
  empty: (record: T) => T,
): Promise<0 | 1> => {
  for (;;) {
    const item = await table.get(key);
    if (!item) return 0;
    const record = empty(item.data);
    if (isSameJson(item.data, record)) return 0;
    if (permit === null) return 1;
    if (await table.put(itemOf<T>(key, record, item.expires_at), { version: item.version })) return 1;
  }
};

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
