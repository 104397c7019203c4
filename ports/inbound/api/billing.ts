import * as z from 'zod';
import { INVOICE_STATUSES } from '../../../domain/billing/invoice.ts';
import { ORDER_STATUSES } from '../../../domain/billing/order.ts';
import { PAYMENT_METHOD_TYPES } from '../../../domain/billing/payment-method.ts';
import { GRANT_TYPES } from '../../../domain/licensing/entitlement.ts';
import { billingDetails, component, dateTime, id, nullableText, once, withdrawal } from '../answers.ts';
import { endpointsOf } from '../endpoint.ts';
import { pathId, queryInteger, queryLimit, queryOneOf } from '../fields.ts';

const api = endpointsOf({ host: 'api' });

const cents = z.int().describe('minor units of the currency');

const label = z.string().describe('in the language asked for');

const entitlementData = once(() =>
  component('EntitlementData', {
    id,
    product_id: id,
    source_product_id: id.nullable().describe('the bundle that brought the entitlement'),
    product_detail_url: z.string(),
    order_id: id,
    order_item_id: id,
    grant_type: z.enum(GRANT_TYPES),
    grant_type_label: label,
    status: z.enum(['pending', 'active', 'expired', 'revoked']),
    status_label: label,
    access_state: z
      .enum(['none', 'without_updates', 'full'])
      .describe(
        '`none` unless the entitlement is active; `without_updates` once the update window has ended; else `full`',
      ),
    access_state_label: label,
    active: z.boolean(),
    source_quantity: z.int(),
    access_expires_at: dateTime.nullable(),
    updates_supported_until: dateTime.nullable(),
    granted_at: dateTime.nullable(),
    revoked_at: dateTime.nullable(),
  }),
);

const orderItemData = once(() =>
  component('OrderItemData', {
    id,
    product_id: z.int().describe('0 for a line that is no product of the shop, such as shipping'),
    product_name: z.string().describe('the text of a line that is no product'),
    product_url: z.string().describe('empty for a line that is no product'),
    list_unit_price_cents: cents,
    unit_price_cents: cents,
    quantity: z.int(),
    subtotal_cents: cents.describe('the unit price times the quantity'),
    discount_total_cents: cents,
    total_cents: cents,
    entitlements: z.array(entitlementData()),
  }),
);

const orderData = once(() =>
  component('OrderData', {
    id,
    number: z.string(),
    status: z.enum(ORDER_STATUSES).describe('`disputed`: the bank of the buyer asks for the money, or has it'),
    status_label: label,
    subtotal_cents: cents,
    discount_total_cents: cents,
    total_cents: cents.describe('the subtotal less the discount, in minor units of the currency'),
    currency: z.string(),
    payment_method: z.string(),
    items: z.array(orderItemData()),
    can_withdraw: z
      .boolean()
      .describe(
        'true for a paid order within the period of the shop’s terms of withdrawal (`storefront.withdrawal`), unless its buyer has withdrawn already, anything of the order was refunded, or a product of it was installed, activated or launched, or its bundle file downloaded, since the payment; an install plan and a download by a signed URL are no use',
      ),
    receipt_url: nullableText,
    billing: billingDetails().nullable().describe('the party that the payment provider billed'),
    invoice: z
      .object({ number: nullableText, url: nullableText })
      .nullable()
      .describe('the invoice that the payment provider issued'),
    vat_rate: nullableText.describe('the tax rate in percent, if there is only one'),
    sold_by: nullableText.describe(
      'the merchant of record that sold the order and issues its invoice; null where the shop did',
    ),
    supply_cents: cents.nullable().describe('the total without value added tax'),
    vat_cents: cents.nullable(),
    subscription_name: nullableText,
    ordered_at: dateTime,
    paid_at: dateTime.nullable(),
    withdraw_until: dateTime.nullable().describe('the end of the right to withdraw; null unless `can_withdraw`'),
    withdrawal: withdrawal().nullable(),
    refunds: z.array(
      z.object({
        refunded_at: dateTime,
        item_ids: z.array(id).nullable().describe('the items whose money went back; null for all; `[]` is money alone'),
        keeps_access: z.boolean().describe('true where the buyer may go on using the items'),
        amount_cents: cents.nullable().describe('null where it is that of the items'),
      }),
    ),
  }),
);

export const listInvoices = api({
  id: 'listInvoices',
  path: '/api/invoices',
  access: { credential: 'key', ability: 'orders.read' },
  query: () =>
    z.object({
      status: queryOneOf(INVOICE_STATUSES, 'Only invoices with this status.'),
      limit: queryLimit,
      after: queryInteger('The last id of the previous page: `next_after` of its answer.'),
    }),
  answer: () =>
    component('InvoiceListData', {
      invoices: z.array(
        component('InvoiceData', {
          id,
          number: z.string(),
          status: z.enum(INVOICE_STATUSES),
          status_label: label,
          order_id: id.nullable(),
          issued_at: dateTime,
          due_at: dateTime.nullable(),
          paid_at: dateTime.nullable(),
          currency: z.string(),
          total_cents: cents,
          supply_cents: cents.nullable(),
          vat_cents: cents.nullable(),
          pdf_url: nullableText,
          receipt_url: nullableText,
        }),
      ),
      next_after: id.nullable().describe('the `after` of the next page; null on the last page'),
    }),
  localized: 'worded',
  tool: { name: 'list_invoices', effect: 'reads' },
});

export const listOrders = api({
  id: 'listOrders',
  path: '/api/orders',
  access: { credential: 'key', ability: 'orders.read' },
  answer: () => component('OrdersData', { orders: z.array(orderData()) }),
  localized: 'worded',
  tool: { name: 'list_orders', effect: 'reads' },
});

export const getOrder = api({
  id: 'getOrder',
  path: '/api/orders/{order}',
  params: () => z.object({ order: pathId('id of the order') }),
  access: { credential: 'key', ability: 'orders.read' },
  answer: () => component('OrderShowData', { order: orderData() }),
  refusals: ['order_not_found'],
  localized: 'worded',
  tool: { name: 'show_order', effect: 'reads' },
});

export const listPaymentMethods = api({
  id: 'listPaymentMethods',
  path: '/api/payment-methods',
  access: { credential: 'key', ability: 'orders.read' },
  answer: () =>
    component('PaymentMethodListData', {
      payment_methods: z.array(
        component('PaymentMethodData', {
          id,
          type: z.enum(PAYMENT_METHOD_TYPES),
          type_label: label,
          brand: z.string(),
          last4: nullableText,
          masked_number: nullableText,
          exp_month: z.int().nullable(),
          exp_year: z.int().nullable(),
          expired: z.boolean(),
          is_default: z.boolean(),
        }),
      ),
    }),
  localized: 'worded',
  tool: { name: 'list_payment_methods', effect: 'reads' },
});

export const listSubscriptions = api({
  id: 'listSubscriptions',
  path: '/api/subscriptions',
  access: { credential: 'key', ability: 'subscriptions.read' },
  answer: () =>
    component('SubscriptionsData', {
      subscriptions: z.array(
        component('SubscriptionData', {
          id,
          product_ids: z.array(id),
          status: z
            .enum(['scheduled', 'trialing', 'active', 'past_due', 'cancelled', 'expired'])
            .describe('by the dates at this moment'),
          status_label: label,
          is_trial: z.boolean(),
          starts_at: dateTime,
          ends_at: dateTime.nullable().describe('the end of the paid period'),
          access_ends_at: dateTime.nullable().describe('the end of access, with the grace period; null is never'),
          cancelled_at: dateTime.nullable(),
          order_id: id.nullable(),
          order_number: nullableText,
          can_cancel: z.boolean(),
          cancel_at_period_end: z.boolean().describe('true if the subscription was cancelled and runs on to `ends_at`'),
          next_charge_at: dateTime.nullable(),
          renewal_amount_cents: cents.nullable(),
          renewal_currency: nullableText,
          payment_method_brand: nullableText,
          payment_method_last4: nullableText,
          is_apps_subscription: z.boolean(),
          offer_code: nullableText,
          offer_name: nullableText,
          action: z
            .enum(['cancel', 'resume', 'update_payment_method', 'renew', 'none'])
            .describe(
              'the action that the buyer can take on the store’s pages: `cancel`; `resume` after a cancellation; `update_payment_method` at `update_payment_method_url` when a payment is due; `renew` at `renewal_url`; or `none`, also where the store names no page for the action',
            ),
          estimated_krw_amount: z.int().nullable().describe('the renewal amount in won, rounded to the nearest won'),
          estimated_krw_exchange_rate: nullableText.describe('won for one unit of the currency, a decimal'),
          estimated_krw_exchange_source: nullableText,
          estimated_krw_currency: nullableText,
          update_card_url: nullableText,
          update_payment_method_url: nullableText.describe('null once the subscription is over'),
          renewal_url: nullableText.describe('the page on which the subscription is renewed'),
        }),
      ),
    }),
  localized: 'worded',
  tool: { name: 'list_subscriptions', effect: 'reads' },
});
