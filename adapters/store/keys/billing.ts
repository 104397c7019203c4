import type { Invoice } from '../../../domain/billing/invoice.ts';
import type { Order } from '../../../domain/billing/order.ts';
import type { PaymentMethod } from '../../../domain/billing/payment-method.ts';
import type { Partition } from './families.ts';
import { accountPartition, allOfAccount, ofAccount, padded } from './shared.ts';

/** Where the orders, invoices and payment methods of an account lie. */
export const billingKeys = {
  orders: (accountId: number) => allOfAccount<Order>(accountId, 'ORDER#'),
  order: (accountId: number, id: number) => ofAccount<Order>(accountId, `ORDER#${padded(id)}`),
  /** The invoices of an account; with `before` only those with a lower id. */
  invoices: (accountId: number, before?: number): Partition<Invoice> => ({
    pk: accountPartition(accountId),
    prefix: 'INVOICE#',
    ...(before !== undefined && { to: `INVOICE#${padded(before - 1)}` }),
  }),
  invoice: (accountId: number, id: number) => ofAccount<Invoice>(accountId, `INVOICE#${padded(id)}`),
  paymentMethods: (accountId: number) => allOfAccount<PaymentMethod>(accountId, 'PAYMENT#'),
  paymentMethod: (accountId: number, id: number) => ofAccount<PaymentMethod>(accountId, `PAYMENT#${padded(id)}`),
};
