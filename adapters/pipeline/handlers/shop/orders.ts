import {
  describeOrder,
  describeSubscription,
  findOrder,
  listShopOrders,
  listShopSubscriptions,
  type ResendOrderMail,
  refundOrder,
} from '../../../../application/billing/shop-orders.ts';
import { listDueSubscriptions, showSums } from '../../../../application/billing/shop-sales.ts';
import { recordSale } from '../../../../application/sales/record-sale.ts';
import { ORDERS } from '../../../../domain/billing/order.ts';
import { DUE } from '../../../../domain/billing/subscription-due.ts';
import { SUBSCRIPTIONS } from '../../../../domain/licensing/subscription.ts';
import type { SaleEvent } from '../../../../domain/sales/sale-event.ts';
import type { BodyOf } from '../../../../ports/inbound/endpoint.ts';
import * as shopOrders from '../../../../ports/inbound/shop/orders.ts';
import { handlingWith } from '../handling.ts';
import { idOf, NO_MAIL, oneMore, page, read, write } from './answers.ts';

const refundOf = (order: string, body: BodyOf<typeof shopOrders.refundOrder>) => ({
  order,
  item_ids: body.item_ids ?? [],
  keeps_access: body.keeps_access ?? false,
  reason: body.reason,
  trial: body.trial ?? false,
});

/** The fields of a sale, as the shop's own webhooks send them. */
const saleOf = ({
  email,
  name,
  locale,
  ordered_at,
  lines,
  ...body
}: BodyOf<typeof shopOrders.recordSale>): SaleEvent => {
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
    refundOrder,
    recordSale,
    showSums,
  },
  (use) => ({
    listShopOrders: ({ query, progress }) =>
      read(use.listShopOrders({ ...oneMore(query), progress }), page(query, ORDERS)),
    describeOrder: ({ params }) => read(use.describeOrder(params.order)),
    refundOrder: async ({ params, body }) => write((permit) => use.refundOrder(permit, refundOf(params.order, body))),
    resendOrderMail: async ({ params }) =>
      write(
        async (permit) => (await use.resendOrderMail?.(permit, params.order)) ?? NO_MAIL,
        (mailed_to) => ({ mailed_to }),
      ),
    recordSale: async ({ body }) => write((permit) => use.recordSale(permit, saleOf(body))),
    showSums: ({ query }) => read(use.showSums(query)),
    listDueSubscriptions: ({ query }) => read(use.listDueSubscriptions(oneMore(query)), page(query, DUE)),
    listShopSubscriptions: ({ params, query }) =>
      read(use.listShopSubscriptions(idOf(params.account)), page(query, SUBSCRIPTIONS)),
    describeSubscription: ({ params }) =>
      read(use.describeSubscription(idOf(params.account), idOf(params.subscription))),
  }),
);
