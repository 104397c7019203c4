import type { Invoice } from '../../../domain/billing/invoice.ts';
import type { Order } from '../../../domain/billing/order.ts';
import type { PaymentMethod } from '../../../domain/billing/payment-method.ts';
import type { KeyOf, Partition } from './families.ts';
import { accountPartition, padded } from './shared.ts';

/** Where the orders, invoices and payment methods of an account lie. */
export const billingKeys = {
  orders: (accountId: number): Partition<Order> => ({ pk: accountPartition(accountId), prefix: 'ORDER#' }),
  order: (accountId: number, id: number): KeyOf<Order> => ({
    pk: accountPartition(accountId),
    sk: `ORDER#${padded(id)}`,
  }),
  /** The invoices of an account; with `before` only those with a lower id. */
  invoices: (accountId: number, before?: number): Partition<Invoice> => ({
    pk: accountPartition(accountId),
    prefix: 'INVOICE#',
    ...(before !== undefined && { to: `INVOICE#${padded(before - 1)}` }),
  }),
  invoice: (accountId: number, id: number): KeyOf<Invoice> => ({
    pk: accountPartition(accountId),
    sk: `INVOICE#${padded(id)}`,
  }),
  paymentMethods: (accountId: number): Partition<PaymentMethod> => ({
    pk: accountPartition(accountId),
    prefix: 'PAYMENT#',
  }),
  paymentMethod: (accountId: number, id: number): KeyOf<PaymentMethod> => ({
    pk: accountPartition(accountId),
    sk: `PAYMENT#${padded(id)}`,
  }),
};
