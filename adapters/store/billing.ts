import type { Invoice } from '../../domain/billing/invoice.ts';
import type { Order } from '../../domain/billing/order.ts';
import type { PaymentMethod } from '../../domain/billing/payment-method.ts';
import type { BillingRecords, Invoices, Orders, PaymentMethods } from '../../ports/outbound/billing.ts';
import { keys } from './keys.ts';
import { allItems, allRecords, saveRecord } from './records.ts';
import type { Table } from './table.ts';

type Saved = 'created' | 'updated' | 'unchanged';

export class StoredOrders implements Orders {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  ofAccount(accountId: number): Promise<Order[]> {
    return allRecords<Order>(this.#table, keys.orders(accountId));
  }

  async find(accountId: number, orderId: number): Promise<Order | undefined> {
    return (await this.#table.get(keys.order(accountId, orderId)))?.data;
  }
}

export class StoredInvoices implements Invoices {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** One query, unless what doesn't pass fills a page of the engine's. */
  async newest(
    accountId: number,
    { limit, before, passes }: Parameters<Invoices['newest']>[1],
  ): Promise<readonly Invoice[]> {
    const found: Invoice[] = [];
    const query = { ...keys.invoices(accountId, before), descending: true, limit: passes ? undefined : limit };
    for await (const item of allItems(this.#table, query)) {
      const invoice: Invoice = item.data;
      if (!passes || passes(invoice)) found.push(invoice);
      if (found.length === limit) break;
    }
    return found;
  }
}

export class StoredPaymentMethods implements PaymentMethods {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  ofAccount(accountId: number): Promise<PaymentMethod[]> {
    return allRecords<PaymentMethod>(this.#table, keys.paymentMethods(accountId));
  }
}

export class StoredBillingRecords implements BillingRecords {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  saveOrder(order: Order): Promise<Saved> {
    return saveRecord(this.#table, { ...keys.order(order.account_id, order.id), data: order });
  }

  saveInvoice(invoice: Invoice): Promise<Saved> {
    return saveRecord(this.#table, { ...keys.invoice(invoice.account_id, invoice.id), data: invoice });
  }

  savePaymentMethod(method: PaymentMethod): Promise<Saved> {
    return saveRecord(this.#table, { ...keys.paymentMethod(method.account_id, method.id), data: method });
  }
}
