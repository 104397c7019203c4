import type { Permit } from '../../domain/access/permit.ts';
import type { Invoice } from '../../domain/billing/invoice.ts';
import type { Order } from '../../domain/billing/order.ts';
import type { PaymentMethod } from '../../domain/billing/payment-method.ts';
import type { SavedRecord } from './record-owners.ts';

export interface Orders {
  /** Every order of an account, by ascending id. */
  ofAccount(accountId: number): Promise<readonly Order[]>;
  /** An order of this account; undefined for an unknown order and for another account's. */
  find(accountId: number, orderId: number): Promise<Order | undefined>;
}

export interface Invoices {
  /**
   * At most `limit` of an account's invoices that `passes` accepts, by descending id; with `before` only those with a
   * lower id.
   */
  newest(
    accountId: number,
    wish: {
      readonly limit: number;
      readonly before?: number | undefined;
      readonly passes?: ((invoice: Invoice) => boolean) | undefined;
    },
  ): Promise<readonly Invoice[]>;
}

export interface PaymentMethods {
  /** Every payment method of an account, by ascending id. */
  ofAccount(accountId: number): Promise<readonly PaymentMethod[]>;
}

/**
 * The writing side, for the operator's tools. An order without a list of refunds keeps those of the stored one, and an
 * invoice of an order that was refunded as a whole is written as refunded.
 */
export interface BillingRecords {
  saveOrder(permit: Permit, order: Order): Promise<SavedRecord>;
  saveInvoice(permit: Permit, invoice: Invoice): Promise<SavedRecord>;
  savePaymentMethod(permit: Permit, method: PaymentMethod): Promise<'created' | 'updated' | 'unchanged'>;
}
