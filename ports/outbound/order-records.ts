import type { Permit } from '../../domain/access/permit.ts';
import type { OrderRecords, RefundEffect } from '../../domain/billing/refund-order.ts';

/** An order with the records that came from it, as they were read. */
export type ReadOrder = OrderRecords & {
  /** The version of each record, for the store alone. */
  readonly versions: ReadonlyMap<string, string>;
};

/** The orders of the built-in store, each with the entitlements, subscriptions and invoices that name it. */
export interface OrderRecordStore {
  /** The order of an account with all that came from it, past every cache; undefined where there is none. */
  read(accountId: number, orderId: number): Promise<ReadOrder | undefined>;
  /**
   * Writes what a refund changes: the order first, and of the other records as many as one transaction takes. False,
   * with nothing written, where the order or a written record was changed since it was read. A record that names the
   * order may have come since, and records may be left: only a new `read` shows that the refund changes nothing more.
   */
  refund(permit: Permit, changed: RefundEffect['changed'], read: ReadOrder): Promise<boolean>;
}
