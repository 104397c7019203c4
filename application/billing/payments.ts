import {
  INVOICE_STATUS_LABELS,
  type Invoice,
  type InvoiceStatus,
  invoiceStatus,
} from '../../domain/billing/invoice.ts';
import { isExpired, maskedNumber, PAYMENT_METHOD_TYPE_LABELS } from '../../domain/billing/payment-method.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type InvoiceInput = {
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
 * A page of the account's invoices, in descending order of id. An invoice issued between two calls doesn't shift later
 * pages.
 */
export const listInvoices = ({ clock, invoices }: Needs<'clock' | 'invoices'>) =>
  async function listInvoices({
    account_id,
    locale,
    query,
  }: {
    account_id: number;
    locale: Locale;
    query: InvoiceInput;
  }) {
    const { status, limit, after } = query;
    const now: Instant = clock.now();
    // An additional invoice shows whether there is another page.
    const found = await invoices.newest(account_id, {
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

/** The account's payment methods, the default one first. */
export const listPaymentMethods = ({ paymentMethods, clock }: Needs<'clock' | 'paymentMethods'>) =>
  async function listPaymentMethods({ account_id, locale }: { account_id: number; locale: Locale }) {
    const methods = await paymentMethods.ofAccount(account_id);
    const now = clock.now();
    return {
      payment_methods: [...methods]
        .sort((a, b) => Number(b.is_default) - Number(a.is_default))
        .map((method) => ({
          id: method.id,
          type: method.type,
          type_label: PAYMENT_METHOD_TYPE_LABELS[method.type][locale],
          brand: method.brand,
          last4: method.last4,
          masked_number: maskedNumber(method),
          exp_month: method.exp_month,
          exp_year: method.exp_year,
          expired: isExpired(method, now),
          is_default: method.is_default,
        })),
    };
  };

export type ListPaymentMethods = ReturnType<typeof listPaymentMethods>;
