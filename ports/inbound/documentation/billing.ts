import * as z from 'zod';
import { INVOICE_STATUSES } from '../../../domain/billing/invoice.ts';
import { ORDER_STATUSES } from '../../../domain/billing/order.ts';
import { PAYMENT_METHOD_TYPES } from '../../../domain/billing/payment-method.ts';
import { GRANT_TYPES } from '../../../domain/licensing/entitlement.ts';
import { component, dateTime, id, nullableText, withdrawal } from './fields.ts';

const cents = z.int().describe('minor units of the currency');
const label = z.string().describe('in the language asked for');

const EntitlementData = component('EntitlementData', {
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
});

const OrderItemData = component('OrderItemData', {
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
  entitlements: z.array(EntitlementData),
});

const OrderData = component('OrderData', {
  id,
  number: z.string(),
  status: z.enum(ORDER_STATUSES).describe('`disputed`: the bank of the buyer asks for the money, or has it'),
  status_label: label,
  subtotal_cents: cents,
  discount_total_cents: cents,
  total_cents: cents.describe('the subtotal less the discount, in minor units of the currency'),
  currency: z.string(),
  payment_method: z.string(),
  items: z.array(OrderItemData),
  can_withdraw: z
    .boolean()
    .describe(
      'true for a paid order within the period of the shop’s terms of withdrawal (`storefront.withdrawal`), unless its buyer has withdrawn already, anything of the order was refunded, or a product of it was installed, activated or launched, or its bundle file downloaded, since the payment; an install plan and a download by a signed URL are no use',
    ),
  receipt_url: nullableText,
  supply_cents: cents.nullable().describe('the total without value added tax'),
  vat_cents: cents.nullable(),
  subscription_name: nullableText,
  ordered_at: dateTime,
  paid_at: dateTime.nullable(),
  withdraw_until: dateTime.nullable().describe('the end of the right to withdraw; null unless `can_withdraw`'),
  withdrawal: withdrawal.nullable(),
  refunds: z.array(
    z.object({
      refunded_at: dateTime,
      item_ids: z.array(id).nullable().describe('the items whose money went back; null for all; `[]` is money alone'),
      keeps_access: z.boolean().describe('true where the buyer may go on using the items'),
      amount_cents: cents.nullable().describe('null where it is that of the items'),
    }),
  ),
});

export const billingDocumentation = {
  listInvoices: {
    group: 'Orders',
    summary: 'List the invoices',
    description:
      'Invoices in descending order of id, page by page: ask again with `after` until `next_after` is null. An invoice that is issued between two calls moves no later page.',
    tool: {
      description:
        'Lists invoices, newest first, page by page: call it again with `after` set to `next_after` until that is null.',
    },
    answer: component('InvoiceListData', {
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
  },
  listOrders: {
    group: 'Orders',
    summary: 'List the orders',
    description:
      'Every order of the account, newest first, each item with its entitlements. Orders belong to the account: a key bound to one product reads all of them.',
    tool: { description: 'Lists every order of the account, newest first, with its items and what they entitle to.' },
    answer: component('OrdersData', { orders: z.array(OrderData) }),
  },
  getOrder: {
    group: 'Orders',
    summary: 'Get one order',
    description: 'Another account’s order answers 404 like one that doesn’t exist.',
    tool: { title: 'Show an order', description: 'Shows one order of the account, by an `id` from list_orders.' },
    pathExamples: { order: 1 },
    answer: component('OrderShowData', { order: OrderData }),
  },
  listPaymentMethods: {
    group: 'Orders',
    summary: 'List the payment methods',
    description:
      'The default payment method comes first. Only the last four digits of a number are kept, so the answer has no more.',
    tool: { description: 'Lists the payment methods of the account; only the last four digits are known.' },
    answer: component('PaymentMethodListData', {
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
  },
  listSubscriptions: {
    group: 'Subscriptions',
    summary: 'List the subscriptions',
    description:
      'Every subscription of the account, newest first, with its next charge and the action that the buyer can take. Ended subscriptions stay in the list.',
    tool: {
      description:
        'Lists the subscriptions of the account with their next charge. `action` is what the buyer can do on the website; no tool changes a subscription.',
    },
    answer: component('SubscriptionsData', {
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
  },
  checkAppsSubscription: {
    group: 'License',
    summary: 'Check the apps subscription',
    description:
      'The apps and features that the account’s apps subscription allows. After a failed renewal, the subscription stays active during its grace period, with a warning. A license check of these apps passes for the same time. A subscription that begins later allows nothing yet, and `message` says when it begins.',
    tool: {
      description:
        'Tells which apps and features the account’s apps subscription allows, and whether a failed renewal is in its grace period.',
    },
    answer: component('AppsSubscriptionCheckData', {
      has_active_apps_subscription: z.boolean().describe('true in the grace period too'),
      in_grace_period: z.boolean(),
      expires_at: dateTime
        .nullable()
        .describe('the end of the paid period; null if there is no end, or if no subscription has begun'),
      grace_period_ends_at: dateTime.nullable().describe('null until the grace period begins'),
      grace_warning: nullableText,
      tier: z.string().describe('`none` without a subscription in force'),
      features: z.array(z.string()),
      allowed_apps: z.array(z.string()).describe('bundle identifiers, or slugs where a product has none'),
      renewal_url: nullableText,
      message: nullableText.describe(
        'the reason why no subscription is in force, or the moment at which the next one begins',
      ),
    }),
  },
} as const;
