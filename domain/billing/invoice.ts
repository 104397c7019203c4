import { hasPassed, type Instant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';

export const STORED_INVOICE_STATUSES = ['open', 'paid', 'refunded', 'void'] as const;
/** The displayed statuses: an open invoice past its due date is overdue. */
export const INVOICE_STATUSES = ['open', 'overdue', 'paid', 'refunded', 'void'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** Amounts are integers in minor units of the currency. */
export type Invoice = {
  readonly id: number;
  readonly account_id: number;
  readonly number: string;
  readonly status: (typeof STORED_INVOICE_STATUSES)[number];
  readonly order_id: number | null;
  readonly issued_at: Instant;
  readonly due_at: Instant | null;
  readonly paid_at: Instant | null;
  readonly currency: string;
  readonly total_cents: number;
  /** The price without value added tax. Null exactly if `vat_cents` is null. */
  readonly supply_cents: number | null;
  readonly vat_cents: number | null;
  readonly pdf_url: string | null;
  readonly receipt_url: string | null;
};

export const INVOICE_STATUS_LABELS: Readonly<Record<InvoiceStatus, Readonly<Record<Locale, string>>>> = {
  open: { en: 'Open', ko: '미결제' },
  overdue: { en: 'Overdue', ko: '기한 경과' },
  paid: { en: 'Paid', ko: '결제 완료' },
  refunded: { en: 'Refunded', ko: '환불 완료' },
  void: { en: 'Void', ko: '무효' },
};

export const invoiceStatus = ({ status, due_at }: Invoice, now: Instant): InvoiceStatus =>
  status === 'open' && hasPassed(due_at, now) ? 'overdue' : status;

/** The invoice of an erased account, without the links to its pages, which usually name the buyer. */
export const erasedInvoice = (invoice: Invoice): Invoice => ({ ...invoice, pdf_url: null, receipt_url: null });
