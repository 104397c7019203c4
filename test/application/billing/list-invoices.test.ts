import { describe, expect, test } from 'vitest';
import type { InvoiceInput } from '../../../application/billing/payments.ts';
import type { Invoice } from '../../../domain/billing/invoice.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import { billing } from '../../../runtimes/composition/areas/billing.ts';
import { anInvoice, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

/** A store with invoices, and a function that lists those of account 1. */
const anInvoiceStore = async (invoices: readonly Invoice[]) => {
  const store = await aStore([billing], { invoices });
  const list = (input: Partial<InvoiceInput> = {}, locale: Locale = 'en') =>
    store.get('listInvoices')({ account_id: 1, locale, query: { status: null, limit: 2, after: null, ...input } });
  return { store, list };
};

const page = ({ invoices, next_after }: { invoices: readonly { id: number }[]; next_after: number | null }) => [
  invoices.map(({ id }) => id),
  next_after,
];
const invoices = (...ids: readonly number[]) => ids.map((id) => anInvoice({ id }));

describe('the list of invoices', () => {
  test('an invoice that is issued between two pages shifts none of them', async () => {
    const { store, list } = await anInvoiceStore(invoices(1, 2, 3, 4));
    expect(page(await list())).toEqual([[4, 3], 3]);
    await store.put({ invoices: invoices(5) });
    expect(page(await list({ after: 3 }))).toEqual([[2, 1], null]);
  });

  test('an open invoice is overdue from its due time on, and is found by that status', async () => {
    const { store, list } = await anInvoiceStore([anInvoice({ status: 'open', due_at: addDays(NOW, 1) })]);
    expect(page(await list({ status: 'open' }))).toEqual([[1], null]);
    store.clock.at = addDays(NOW, 1);
    expect(page(await list({ status: 'open' }))).toEqual([[], null]);
    expect((await list({ status: 'overdue' })).invoices).toMatchObject([
      { status: 'overdue', status_label: 'Overdue' },
    ]);
  });

  test('the pages of one status leave out all other invoices', async () => {
    const mixed = [1, 2, 3, 4, 5, 6].map((id) => anInvoice({ id, status: id % 2 === 0 ? 'refunded' : 'paid' }));
    const { list } = await anInvoiceStore(mixed);
    expect(page(await list({ status: 'refunded' }))).toEqual([[6, 4], 4]);
    expect(page(await list({ status: 'refunded', after: 4 }))).toEqual([[2], null]);
  });
});
