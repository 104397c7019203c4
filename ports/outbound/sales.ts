import type { Permit } from '../../domain/access/permit.ts';
import type { OrderSale, SubscriptionSale } from '../../domain/sales/sale.ts';
import type { SaleRecords } from '../../domain/sales/sale-records.ts';

/** The provider's references of a payment and of a subscription; null where there is none. */
export type SaleNames = { readonly order: string | null; readonly subscription: string | null };

/** A payment and its subscription, as they were read. */
export type ReadSale = {
  /** The references, those among them that the sales themselves name. */
  readonly names: SaleNames;
  readonly order: OrderSale;
  readonly subscription: SubscriptionSale;
  readonly records: SaleRecords;
  /** The version of each item, for the store alone. */
  readonly versions: ReadonlyMap<string, string>;
};

/** The sales of payment providers by their references, and the records that they made. */
export interface Sales {
  /** Reads a sale past every cache. A payment names its subscription, and a subscription the payment that began it. */
  read(provider: string, names: SaleNames): Promise<ReadSale>;
  /**
   * Writes a sale with its records in one transaction: what differs from the read, with entries of the audit log. False,
   * with nothing written, where anything was changed since the read, or the account was erased.
   */
  write(
    permit: Permit,
    provider: string,
    read: ReadSale,
    after: Pick<ReadSale, 'order' | 'subscription' | 'records'>,
  ): Promise<boolean>;
}
