import type { Invoice } from '../../domain/billing/invoice.ts';
import type { Order } from '../../domain/billing/order.ts';
import type { PaymentMethod } from '../../domain/billing/payment-method.ts';

export interface Orders {
  /** Every order of an account, by id. */
  ofAccount(accountId: number): Promise<readonly Order[]>;
  /** An order of this account; one of another's is none. */
  find(accountId: number, orderId: number): Promise<Order | undefined>;
}

export interface Invoices {
  /**
   * The newest invoices of an account that pass, by falling id, and no more than `limit` of them; with `before` only
   * those with a lower id.
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
  /** The payment methods of an account, by id. */
  ofAccount(accountId: number): Promise<readonly PaymentMethod[]>;
}

/** The writing side, for the operator's tools. */
export interface BillingRecords {
  saveOrder(order: Order): Promise<'created' | 'updated' | 'unchanged'>;
  saveInvoice(invoice: Invoice): Promise<'created' | 'updated' | 'unchanged'>;
  savePaymentMethod(method: PaymentMethod): Promise<'created' | 'updated' | 'unchanged'>;
}
