import type { Permit } from '../../domain/access/permit.ts';
import { savedEvent } from '../../domain/audit/event.ts';
import type { Invoice } from '../../domain/billing/invoice.ts';
import { type Order, withPaidMark } from '../../domain/billing/order.ts';
import type { PaymentMethod } from '../../domain/billing/payment-method.ts';
import { invoiceUnderRefund, withKeptRefunds } from '../../domain/billing/refund.ts';
import { saleEvents } from '../../domain/webhooks/events.ts';
import type { BillingRecords, Invoices, Orders, PaymentMethods, SavedRecord } from '../../ports/outbound/billing.ts';
import { billingKeys } from './keys/billing.ts';
import { saveOwned, settledUnderRefund } from './owned-records.ts';
import { allItems, allRecords, itemOf, type SaveEffect, saveRecord } from './records.ts';
import { Audited, OnTable } from './repository.ts';
import { MAX_PAGE } from './table-checks.ts';

export type { SaveEffect } from './records.ts';

export class StoredOrders extends OnTable implements Orders {
  ofAccount(account_id: number): Promise<Order[]> {
    return allRecords(this.table, billingKeys.orders(account_id));
  }

  async find(account_id: number, order_id: number): Promise<Order | undefined> {
    return (await this.table.get(billingKeys.order(account_id, order_id)))?.data;
  }
}

export class StoredInvoices extends OnTable implements Invoices {
  /** Takes one query per page of the engine. */
  async newest(
    account_id: number,
    { limit, before, passes }: Parameters<Invoices['newest']>[1],
  ): Promise<readonly Invoice[]> {
    const found: Invoice[] = [];
    const query = {
      ...billingKeys.invoices(account_id, before),
      descending: true,
      limit: passes ? undefined : Math.min(limit, MAX_PAGE),
    };
    for await (const item of allItems(this.table, query)) {
      if (!passes || passes(item.data)) found.push(item.data);
      if (found.length === limit) break;
    }
    return found;
  }
}

export class StoredPaymentMethods extends OnTable implements PaymentMethods {
  ofAccount(account_id: number): Promise<PaymentMethod[]> {
    return allRecords(this.table, billingKeys.paymentMethods(account_id));
  }
}

/**
 * Writes orders, invoices and payment methods, replacing those with the same account and id. Ids and numbers of orders
 * are unique in the store, and so are those of invoices. An order keeps its refunds, and an invoice shows those of its
 * order.
 */
export class StoredBillingRecords extends Audited implements BillingRecords {
  saveOrder(permit: Permit, order: Order): Promise<SavedRecord> {
    const { account_id, id } = order;
    return saveOwned(this.table, 'order', billingKeys.order(account_id, id), order, {
      settle: (input, before) => ({ record: withPaidMark(withKeptRefunds(input, before), before), checks: [] }),
      trace: async (before, after) => [
        this.trail.entry(permit, savedEvent({ kind: 'order', id, account_id }, before, after)),
        ...(await this.webhookWrites(permit, saleEvents(before, after))),
        ...(await this.orderCounts.writes(before, after)),
      ],
    });
  }

  saveInvoice(permit: Permit, invoice: Invoice): Promise<SavedRecord> {
    const { account_id, id, order_id } = invoice;
    return saveOwned(this.table, 'invoice', billingKeys.invoice(account_id, id), invoice, {
      settle: (input) => settledUnderRefund(this.table, { account_id, order_id }, input, invoiceUnderRefund),
      trace: async (before, after) => [
        this.trail.entry(permit, savedEvent({ kind: 'invoice', id, account_id }, before, after)),
      ],
    });
  }

  savePaymentMethod(permit: Permit, method: PaymentMethod): Promise<SaveEffect> {
    const { account_id, id } = method;
    return saveRecord(this.table, itemOf(billingKeys.paymentMethod(account_id, id), method), (before) =>
      this.trail.entry(permit, savedEvent({ kind: 'payment_method', id, account_id }, before, method)),
    );
  }
}
