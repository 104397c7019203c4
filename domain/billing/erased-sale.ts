import type { Invoice } from './invoice.ts';
import type { Order } from './order.ts';

/* The records of sales that outlive their account. Each function gives the same record where nothing is to go. */

/** The order without the link to its receipt, a page that usually names the buyer, and without reasons of refunds. */
export const erasedOrder = (order: Order): Order => ({
  ...order,
  receipt_url: null,
  ...(order.refunds && { refunds: order.refunds.map((refund) => ({ ...refund, reason: null })) }),
});

/** The invoice without the links to its pages, which usually name the buyer. */
export const erasedInvoice = (invoice: Invoice): Invoice => ({ ...invoice, pdf_url: null, receipt_url: null });
