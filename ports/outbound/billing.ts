import type { Permit } from '../../domain/access/permit.ts';
import type { Invoice } from '../../domain/billing/invoice.ts';
import type { Order, OrderStatus } from '../../domain/billing/order.ts';
import type { PaymentMethod } from '../../domain/billing/payment-method.ts';
import type { Claim, RecordOwner } from '../../domain/billing/record-owner.ts';
import type { OrderRecords, RefundEffect } from '../../domain/billing/refund.ts';
import type { DaySums, OrderCount } from '../../domain/billing/sales-sums.ts';
import type { DueState } from '../../domain/billing/subscription-due.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Ticket } from '../../domain/support/ticket.ts';

export interface Orders {
  /** Every order of an account, by ascending id. */
  ofAccount(account_id: number): Promise<readonly Order[]>;
  /** An order of this account; undefined for an unknown order and for another account's. */
  find(account_id: number, order_id: number): Promise<Order | undefined>;
}

export interface Invoices {
  /**
   * At most `limit` of an account's invoices that `passes` accepts, by descending id; with `before`, only those with a
   * lower id.
   */
  newest(
    account_id: number,
    input: {
      readonly limit: number;
      readonly before?: number | undefined;
      readonly passes?: ((invoice: Invoice) => boolean) | undefined;
    },
  ): Promise<readonly Invoice[]>;
}

export interface PaymentMethods {
  /** Every payment method of an account, by ascending id. */
  ofAccount(account_id: number): Promise<readonly PaymentMethod[]>;
}

/**
 * Writes billing records, for the operator's tools. An order without a list of refunds keeps the stored ones, and an
 * invoice of a fully refunded order is written as refunded.
 */
export interface BillingRecords {
  saveOrder(permit: Permit, order: Order): Promise<SavedRecord>;
  saveInvoice(permit: Permit, invoice: Invoice): Promise<SavedRecord>;
  savePaymentMethod(permit: Permit, method: PaymentMethod): Promise<'created' | 'updated' | 'unchanged'>;
}

/** An order with the records that came from it, as read. */
export type ReadOrder = OrderRecords & {
  /** The version of each record, for the store's own use. */
  readonly versions: ReadonlyMap<string, string>;
};

/** The orders of the built-in store, each with the entitlements, subscriptions and invoices that name it. */
export interface OrderRecordStore {
  /** The order of an account with all records that came from it, bypassing every cache; undefined if there is none. */
  read(account_id: number, order_id: number): Promise<ReadOrder | undefined>;
  /**
   * Writes the changes of a refund: the order, its messages, and as many other records as fit into the transaction.
   * Returns false and writes nothing if the order or a written record has changed since the read. New records may name
   * the order, and records may be left over: only a new `read` shows whether anything is left to change.
   */
  refund(permit: Permit, changed: RefundEffect['changed'], read: ReadOrder, messages: NewMessages): Promise<boolean>;
  /**
   * Opens the ticket of a withdrawal, and stores its id in the order. Returns false and writes nothing if the order has
   * changed since the read, or the account was erased.
   */
  withdraw(permit: Permit, read: ReadOrder, ticket: Ticket, messages: NewMessages): Promise<boolean>;
}

/** The result of saving a record. `taken`: another record has its id or number, and nothing was written. */
export type SavedRecord = 'created' | 'updated' | 'unchanged' | 'taken';

export interface RecordOwners {
  /**
   * The owner of each claim, in the order of the claims; undefined if no record has it. A record stored before owners
   * existed has none until its next save.
   */
  of(claims: readonly Claim[]): Promise<readonly (RecordOwner | undefined)[]>;
}

/** The orders to list. `after` is the key in `ORDERS` of the last order of the page before. */
export type OrdersFilter = {
  readonly status: OrderStatus | null;
  readonly since: Instant | null;
  readonly after: string | null;
  readonly limit: number;
};

/** The orders that were not counted as they are, and the sums that were not those of the counted orders. */
export type SumsFaults = { readonly orders: number; readonly sums: number };

export type NamedOrder = Pick<Order, 'account_id' | 'id' | 'ordered_at'>;

/** An order with what the sums contain of it. */
export type CountedOrder = OrderCount & NamedOrder;

/**
 * The orders, subscriptions and sums of the whole shop. Each write of an order or a subscription keeps them right. A
 * store that is older than they are lacks records until `complete` has ended once.
 */
export interface ShopSales {
  /** The sums of each day from one to another, by ascending day, in parts that are to be added up. */
  sums(from: string, to: string): Promise<readonly DaySums[]>;
  isComplete(): Promise<boolean>;
  /** At most `limit` orders of all accounts, newest first. */
  newest(filter: OrdersFilter): Promise<readonly Order[]>;
  /** Each order with what the sums contain of it, newest order first, after a key in `ORDERS`. */
  counted(after: string | null): AsyncIterable<CountedOrder>;
  /** A listed order, also where a merge of accounts has moved it since it was read; undefined if it is gone. */
  orderOf(listed: NamedOrder): Promise<Order | undefined>;
  /** The subscriptions that may be in a state, by the moment of their next change, from a moment on. */
  due(state: DueState, now: Instant, from: Instant): AsyncIterable<Subscription>;
  /** Lists and counts older records until all are, or `goOn` returns false. Returns true if all are. */
  complete(permit: Permit, goOn: () => boolean): Promise<boolean>;
  /** Compares every order with the sums, and with a permit counts each again, in the shop's current time zone. */
  examine(permit: Permit | null): Promise<SumsFaults>;
}
