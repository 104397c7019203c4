import type { Invoice } from '../../../domain/billing/invoice.ts';
import type { Order } from '../../../domain/billing/order.ts';
import type { PaymentMethod } from '../../../domain/billing/payment-method.ts';
import type { Partition } from './families.ts';
import { accountPartition, allOfAccount, ofAccount, padded } from './shared.ts';

/** Keys of an account's orders, invoices and payment methods. */
export const billingKeys = {
  orders: (account_id: number) => allOfAccount<Order>(account_id, 'ORDER#'),
  order: (account_id: number, id: number) => ofAccount<Order>(account_id, `ORDER#${padded(id)}`),
  /** The invoices of an account; with `before` only those with a lower id. */
  invoices: (account_id: number, before?: number): Partition<Invoice> => ({
    pk: accountPartition(account_id),
    prefix: 'INVOICE#',
    ...(before !== undefined && { to: `INVOICE#${padded(before - 1)}` }),
  }),
  invoice: (account_id: number, id: number) => ofAccount<Invoice>(account_id, `INVOICE#${padded(id)}`),
  paymentMethods: (account_id: number) => allOfAccount<PaymentMethod>(account_id, 'PAYMENT#'),
  paymentMethod: (account_id: number, id: number) => ofAccount<PaymentMethod>(account_id, `PAYMENT#${padded(id)}`),
};
