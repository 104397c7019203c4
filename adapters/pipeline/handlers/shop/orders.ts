import {
  describeOrder,
  describeSubscription,
  findOrder,
  listShopOrders,
  listShopSubscriptions,
  type ResendOrderMail,
  refundOrder,
} from '../../../../application/billing/shop-orders.ts';
import { listDueSubscriptions, listTransactions, showSums } from '../../../../application/billing/shop-sales.ts';
import { recordSale } from '../../../../application/sales/record-sale.ts';
import { settleOrder } from '../../../../application/sales/settle-order.ts';
import { ORDERS } from '../../../../domain/billing/order.ts';
import { DUE } from '../../../../domain/billing/subscription-due.ts';
import { SUBSCRIPTIONS } from '../../../../domain/licensing/subscription.ts';
import type { SaleEvent } from '../../../../domain/sales/sale-event.ts';
import type { BodyOf } from '../../../../ports/inbound/endpoint.ts';
import * as shopOrders from '../../../../ports/inbound/shop/orders.ts';
import { handlingWith } from '../handling.ts';
import { NO_MAIL, page, read, write } from './answers.ts';
import { listing, reading, writing } from './shop-handling.ts';

/** The fields of a sale, as the shop's own webhooks send them. */
const saleOf = ({
  email,
  name,
  locale,
  ordered_at,
  lines,
  ...body
}: Omit<BodyOf<typeof shopOrders.recordSale>, 'must_be_new'>): SaleEvent => {
  const happened_at = body.changed_at ?? ordered_at;
  const status = body.status ?? 'paid';
  return {
    provider: 'shop',
    happened_at,
    recorded: true,
    facts: {
      kind: 'order',
      reference: body.reference,
      buyer: { email, name, locale },
      status,
      ordered_at,
      paid_at: status === 'paid' ? happened_at : null,
      currency: body.currency,
      payment_method: body.payment_method ?? 'other',
      total_cents: lines.reduce((total, line) => total + line.total_cents, 0),
      vat_cents: body.vat_cents,
      receipt_url: null,
      ...(body.test && { test: true }),
      subscription: null,
      lines: lines.map((line) => ({
        ...line,
        price: line.price ?? undefined,
        quantity: line.quantity ?? 1,
        discount_cents: line.discount_cents ?? 0,
      })),
    },
  };
};

/** Null if the store sends no mail. */
type WithMail = { readonly resendOrderMail: ResendOrderMail | null };

export const shopOrdersHandlers = handlingWith<WithMail>()(
  shopOrders,
  {
    describeOrder,
    describeSubscription,
    findOrder,
    listDueSubscriptions,
    listShopOrders,
    listShopSubscriptions,
    listTransactions,
    refundOrder,
    recordSale,
    settleOrder,
    showSums,
  },
  (use) => ({
    listShopOrders: listing(use.listShopOrders, ORDERS),
    listDueSubscriptions: listing(use.listDueSubscriptions, DUE),
    listShopSubscriptions: ({ params, query }) =>
      read(use.listShopSubscriptions(params.account), page(query, SUBSCRIPTIONS)),
    describeOrder: reading(use.describeOrder),
    describeSubscription: ({ params }) => read(use.describeSubscription(params.account, params.subscription)),
    showSums: reading(use.showSums),
    listTransactions: reading(use.listTransactions),
    refundOrder: writing(use.refundOrder),
    resendOrderMail: async ({ params }) =>
      write(
        async (permit) => (await use.resendOrderMail?.(permit, params.order)) ?? NO_MAIL,
        (mailed_to) => ({ mailed_to }),
      ),
    settleOrder: writing(use.settleOrder),
    recordSale: async ({ body: { must_be_new, ...body } }) =>
      write((permit) => use.recordSale(permit, saleOf(body), { must_be_new })),
  }),
);
