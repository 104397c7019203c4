import {
  INVOICE_STATUS_LABELS,
  type Invoice,
  type InvoiceStatus,
  invoiceStatus,
} from '../../domain/billing/invoice.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'clock' | 'invoices'>;

export type InvoiceWish = {
  readonly status: InvoiceStatus | null;
  readonly limit: number;
  /** The last id of the previous page. */
  readonly after: number | null;
};

const invoiceView = ({ account_id, status: _stored, ...invoice }: Invoice, status: InvoiceStatus, locale: Locale) => ({
  ...invoice,
  status,
  status_label: INVOICE_STATUS_LABELS[status][locale],
});

/**
 * A page of the account's invoices, in descending order of id. An invoice that is issued between two calls moves no
 * later page.
 */
export const listInvoices =
  ({ clock, invoices }: Ports) =>
  async ({ accountId, locale, wish }: { accountId: number; locale: Locale; wish: InvoiceWish }) => {
    const { status, limit, after } = wish;
    const now: Instant = clock.now();
    // One invoice more than the page holds tells whether there is a further page.
    const found = await invoices.newest(accountId, {
      limit: limit + 1,
      before: after ?? undefined,
      passes: status === null ? undefined : (invoice) => invoiceStatus(invoice, now) === status,
    });
    const page = found.slice(0, limit);
    return {
      invoices: page.map((invoice) => invoiceView(invoice, invoiceStatus(invoice, now), locale)),
      next_after: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  };

export type ListInvoices = ReturnType<typeof listInvoices>;
