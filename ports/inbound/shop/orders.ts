import * as z from 'zod';
import { STORED_INVOICE_STATUSES } from '../../../domain/billing/invoice.ts';
import { ORDER_STATUSES } from '../../../domain/billing/order.ts';
import { DUE_STATES } from '../../../domain/billing/subscription-due.ts';
import { WITHDRAWAL_BARS } from '../../../domain/billing/withdrawal.ts';
import { STORED_SUBSCRIPTION_STATUSES } from '../../../domain/licensing/subscription.ts';
import { billingDetails, component, dateTime, id, nullableText, once, withdrawal } from '../answers.ts';
import {
  bodyFlag,
  bodyInstant,
  bodyInteger,
  line,
  orNull,
  pathId,
  pathText,
  queryDay,
  queryInstant,
  queryInteger,
  queryOneOf,
  queryStretch,
} from '../fields.ts';
import { changed, each, list, moment, shopEntitlementData, texts } from './records.ts';
import { MADE, shopEndpoints } from './terms.ts';

const order = { order: pathText('id or number of the order') };
const account = { account: pathId('id of the account') };
const shop = shopEndpoints('orders');

const cents = z.int();

const shopOrderData = once(() =>
  component('ShopOrderData', {
    id,
    account_id: id,
    number: z.string(),
    status: z.enum(ORDER_STATUSES),
    ordered_at: dateTime,
    paid_at: moment,
    currency: z.string(),
    payment_method: z.string(),
    ...each(cents, 'subtotal_cents', 'discount_total_cents', 'total_cents'),
    supply_cents: cents.nullable(),
    vat_cents: cents.nullable(),
    receipt_url: nullableText,
    billing: billingDetails().optional(),
    invoice: z.object({ number: nullableText, url: nullableText }).optional(),
    vat_rate: z.string().optional(),
    test: z.boolean().optional().describe('true where no money moved: it counts in no sums'),
    was_paid: z.boolean().optional().describe('true once it was paid and then counted as unpaid'),
    subscription_name: texts().nullable(),
    items: z.array(
      z.object({
        id,
        product_id: id.nullable().describe('null for a line that is not a product, such as shipping'),
        product_name: texts().nullable(),
        list_unit_price_cents: cents,
        unit_price_cents: cents,
        quantity: z.int(),
        ...each(cents, 'subtotal_cents', 'discount_total_cents', 'total_cents'),
        first_used_at: moment,
      }),
    ),
    source: z
      .object({ provider: z.string(), payment: z.string(), subscription: nullableText })
      .optional()
      .describe('the ids of the payment provider that reported the order'),
    refunds: z
      .array(
        z.object({
          refunded_at: dateTime,
          item_ids: z.array(id).nullable(),
          keeps_access: z.boolean(),
          reason: nullableText,
          amount_cents: cents.optional(),
          kind: z.enum(['part', 'dispute']).optional(),
        }),
      )
      .optional(),
    withdrawal: withdrawal().optional(),
  }),
);

const shopSubscriptionData = once(() =>
  component('ShopSubscriptionData', {
    id,
    account_id: id,
    product_ids: z.array(id),
    status: z.enum(STORED_SUBSCRIPTION_STATUSES),
    starts_at: dateTime,
    ends_at: moment,
    cancelled_at: moment,
    grace_days: z.int(),
    device_limit: z.int().nullable(),
    apps: z.object({ tier: z.string(), features: z.array(z.string()) }).nullable(),
    billing: z
      .object({
        order_id: id.nullable(),
        order_number: nullableText,
        payment_method_id: id.nullable(),
        trial_ends_at: moment,
        next_charge_at: moment,
        renewal_amount_cents: cents.nullable(),
        renewal_currency: nullableText,
        krw_exchange: z.object({ rate: z.string(), source: z.string() }).nullable(),
        offer: z.object({ code: z.string(), name: texts() }).nullable(),
        update_payment_method_url: nullableText,
        renewal_url: nullableText,
      })
      .nullable(),
  }),
);

const standing = once(() =>
  z.object({
    status: z.string().describe('as buyers are shown it'),
    ...each(z.boolean(), 'is_trial', 'can_cancel', 'cancel_at_period_end'),
    next_charge_at: moment,
    action: z.string(),
  }),
);

const shopInvoiceData = once(() =>
  component('ShopInvoiceData', {
    id,
    account_id: id,
    number: z.string(),
    status: z.enum(STORED_INVOICE_STATUSES),
    order_id: id.nullable(),
    issued_at: dateTime,
    due_at: moment,
    paid_at: moment,
    currency: z.string(),
    total_cents: cents,
    supply_cents: cents.nullable(),
    vat_cents: cents.nullable(),
    pdf_url: nullableText,
    receipt_url: nullableText,
  }),
);

const refund = once(() =>
  z.object({
    order: shopOrderData(),
    changed: z
      .object({
        order: shopOrderData().nullable(),
        entitlements: z.array(shopEntitlementData()),
        subscriptions: z.array(shopSubscriptionData()),
        invoices: z.array(shopInvoiceData()),
      })
      .describe('the records that the refund changes, as they are afterwards'),
    amount_cents: cents.nullable().describe('null where the order was partly refunded elsewhere'),
    leaves_subscription: z.boolean().describe('the order paid for a subscription that does not name it; it goes on'),
    result: changed,
  }),
);

export const listShopOrders = shop({
  id: 'listShopOrders',
  path: '/api/shop/orders',
  query: () =>
    z.object({
      account_id: queryInteger('Only orders of this account.'),
      status: queryOneOf(ORDER_STATUSES, 'Only orders of this status.'),
      since: queryInstant('Only orders from this moment on.'),
      ...queryStretch('moment'),
    }),
  answer: () => list(shopOrderData().extend({ account_email: nullableText })),
  tool: { name: 'shop_list_orders', effect: 'reads', renames: { account_id: 'account' } },
});

export const describeOrder = shop({
  id: 'describeOrder',
  path: '/api/shop/orders/{order}',
  params: () => z.object(order),
  answer: () =>
    z.object({
      order: shopOrderData(),
      account_email: nullableText,
      slugs: z.array(nullableText).describe('the slug of each item’s product'),
      entitlements: z.array(shopEntitlementData().extend({ status: z.string() })),
      subscriptions: z.array(shopSubscriptionData().extend({ standing: standing() })),
      invoices: z.array(shopInvoiceData().extend({ status: z.string() })),
      withdrawal_bar: z
        .enum(WITHDRAWAL_BARS)
        .nullable()
        .describe('why the buyer may not withdraw; null where withdrawing is possible'),
      withdraw_until: moment,
    }),
  tool: { name: 'shop_show_order', effect: 'reads' },
});

export const refundOrder = shop({
  id: 'refundOrder',
  method: 'POST',
  path: '/api/shop/orders/{order}/refunds',
  params: () => z.object(order),
  body: () =>
    component('ShopRefundBody', {
      item_ids: orNull(z.array(z.int().min(1)).max(100)).meta({ description: 'the items to refund; all by default' }),
      keeps_access: bodyFlag('the buyer keeps the access that the items gave'),
      reason: orNull(line(255)),
      trial: bodyFlag('decide, and change nothing'),
    }),
  answer: refund,
  tool: { name: 'shop_refund_order', effect: 'destroys' },
});

export const resendOrderMail = shop({
  id: 'resendOrderMail',
  method: 'POST',
  path: '/api/shop/orders/{order}/mails',
  params: () => z.object(order),
  answer: () => z.object({ mailed_to: z.string() }),
  output: MADE,
  tool: { name: 'shop_resend_order_mail', effect: 'adds' },
});

const amount = bodyInteger({ minimum: 0 }).meta({ description: 'minor units of the currency' });

const recordedSale = once(() =>
  z.object({
    result: z.enum(['recorded', 'updated', 'unchanged']),
    ...each(id.nullable(), 'account_id', 'order_id', 'subscription_id'),
    reason: nullableText.describe('the lines that no product has; the rest is recorded'),
  }),
);

export const settleOrder = shop({
  id: 'settleOrder',
  method: 'POST',
  path: '/api/shop/orders/{order}/payments',
  params: () => z.object(order),
  answer: recordedSale,
});

export const recordSale = shop({
  id: 'recordSale',
  method: 'POST',
  path: '/api/shop/sales',
  body: () =>
    component('ShopSaleBody', {
      reference: line(200, 1).meta({ description: 'your own name of the payment, which never changes' }),
      email: line(254, 1).meta({ description: 'the buyer, whose account is found or opened' }),
      name: orNull(line(255)),
      locale: orNull(line(35)).meta({ description: 'the language of messages, such as ko' }),
      status: orNull(z.enum(['pending', 'paid', 'cancelled'])).meta({ description: 'paid if left out' }),
      ordered_at: bodyInstant,
      changed_at: orNull(bodyInstant).meta({
        description: 'the moment of these facts: the latest count; ordered_at if left out',
      }),
      currency: line(3, 3),
      payment_method: orNull(line(50)),
      vat_cents: orNull(amount),
      test: bodyFlag('true where no money moved: it counts in no sums'),
      must_be_new: bodyFlag('true refuses a reference that has an order with other facts'),
      lines: z
        .array(
          z.object({
            product: line(200, 1).meta({ description: 'slug of the product' }),
            price: orNull(line(255)).meta({
              description: 'id of the price of the provider `shop`, for a product that has several',
            }),
            quantity: orNull(bodyInteger({ minimum: 1, maximum: 100_000 })),
            total_cents: amount,
            discount_cents: orNull(amount),
          }),
        )
        .min(1)
        .max(100),
    }),
  answer: recordedSale,
  tool: { name: 'shop_record_sale', effect: 'adds' },
});

const sums = each(
  cents,
  'orders',
  'units',
  'gross_cents',
  'tax_cents',
  'refunded_cents',
  'refunded_tax_cents',
  'disputed_cents',
  'net_cents',
);
const inCurrency = { currency: z.string(), ...sums };

export const showSums = shop({
  id: 'showSums',
  path: '/api/shop/sums',
  query: () =>
    z.object({
      from: queryDay('The first day, in the shop’s time zone.'),
      to: queryDay('The last day; today by default.'),
      days: queryInteger('The number of days if no first day is named; 30 by default.', 366),
    }),
  answer: () =>
    z.object({
      ...each(z.string(), 'from', 'to', 'time_zone'),
      is_complete: z.boolean().describe('false while the orders of an older version are still being counted'),
      totals: z.array(z.object(inCurrency)),
      days: z.array(z.object({ day: z.string(), ...inCurrency })),
      products: z.array(
        z.object({ product_id: id.nullable().describe('null for lines that are no product'), ...inCurrency }),
      ),
      providers: z.array(
        z.object({ provider: nullableText.describe('null for orders that no provider reported'), ...inCurrency }),
      ),
    }),
  tool: { name: 'shop_show_sums', effect: 'reads' },
});

export const listTransactions = shop({
  id: 'listTransactions',
  path: '/api/shop/transactions',
  query: () =>
    z.object({
      from: queryDay('The first day, in the shop’s time zone; 30 days back by default.'),
      to: queryDay('The last day; today by default.'),
      ...queryStretch('moment'),
    }),
  answer: () =>
    list(
      z.object({
        kind: z.enum(['sale', 'refund']),
        day: z.string(),
        order_id: id,
        order_number: z.string(),
        ...each(nullableText, 'provider', 'payment', 'vat_rate'),
        products: z.array(z.object({ slug: z.string(), units: z.int().nullable() })),
        currency: z.string(),
        ...each(cents, 'gross_cents', 'tax_cents', 'refunded_cents', 'refunded_tax_cents'),
      }),
    ).extend(each(z.string(), 'from', 'to', 'time_zone')),
});

export const listDueSubscriptions = shop({
  id: 'listDueSubscriptions',
  path: '/api/shop/subscriptions',
  query: () =>
    z.object({
      state: queryOneOf(DUE_STATES, 'Renewed within 31 days, waiting for a payment that failed, or cancelled.', {
        otherwise: 'renewing',
      }),
      ...queryStretch('moment'),
    }),
  answer: () => list(shopSubscriptionData().extend({ standing: standing(), account_email: nullableText })),
  tool: { name: 'shop_list_due_subscriptions', effect: 'reads' },
});

export const listShopSubscriptions = shop({
  id: 'listShopSubscriptions',
  path: '/api/shop/accounts/{account}/subscriptions',
  params: () => z.object(account),
  query: () => z.object(queryStretch('moment')),
  answer: () => list(shopSubscriptionData().extend({ standing: standing() })),
  tool: { name: 'shop_list_subscriptions', effect: 'reads' },
});

export const describeSubscription = shop({
  id: 'describeSubscription',
  path: '/api/shop/accounts/{account}/subscriptions/{subscription}',
  params: () => z.object({ ...account, subscription: pathId('id of the subscription') }),
  answer: () =>
    z.object({
      subscription: shopSubscriptionData(),
      standing: standing(),
      why: z.object({ because: z.string(), at: moment }),
      gives_access: z.boolean(),
      access_ends_at: moment,
      grace_ends_at: moment,
      covers: z.array(z.object({ product_id: id, slug: nullableText })),
    }),
  tool: { name: 'shop_show_subscription', effect: 'reads' },
});
