import * as z from 'zod';
import { INVOICE_STATUSES } from '../../../../domain/billing/invoice.ts';
import { ORDER_STATUSES } from '../../../../domain/billing/order.ts';
import { PAYMENT_METHOD_TYPES } from '../../../../domain/billing/payment-method.ts';
import { dateTime, id, nullableText } from './fields.ts';

const cents = z.int().meta({ description: 'minor units of the currency' });
const label = z.string().meta({ description: 'in the language asked for' });

export const EntitlementData = z
  .object({
    id,
    product_id: id,
    source_product_id: id.nullable().meta({ description: 'the bundle that brought the entitlement' }),
    product_detail_url: z.string(),
    order_id: id,
    order_item_id: id,
    grant_type: z.string(),
    grant_type_label: label,
    status: z.string().meta({ description: '`pending`, `active`, `expired` or `revoked`' }),
    status_label: label,
    access_state: z.string().meta({
      description:
        '`none` unless the entitlement is active; `without_updates` once the update window has ended; else `full`',
    }),
    access_state_label: label,
    active: z.boolean(),
    source_quantity: z.int(),
    access_expires_at: dateTime.nullable(),
    updates_supported_until: dateTime.nullable(),
    granted_at: dateTime.nullable(),
    revoked_at: dateTime.nullable(),
  })
  .meta({ id: 'EntitlementData' });

export const OrderItemData = z
  .object({
    id,
    product_id: id,
    product_name: z.string(),
    product_url: z.string(),
    list_unit_price_cents: cents,
    unit_price_cents: cents,
    quantity: z.int(),
    subtotal_cents: cents.meta({ description: 'the unit price times the quantity' }),
    discount_total_cents: cents,
    total_cents: cents,
    entitlements: z.array(EntitlementData),
  })
  .meta({ id: 'OrderItemData' });

export const OrderData = z
  .object({
    id,
    number: z.string(),
    status: z.string().meta({ description: `one of ${ORDER_STATUSES.map((status) => `\`${status}\``).join(', ')}` }),
    status_label: label,
    subtotal_cents: cents,
    discount_total_cents: cents,
    total_cents: cents.meta({ description: 'the subtotal less the discount, in minor units of the currency' }),
    currency: z.string(),
    payment_method: z.string(),
    items: z.array(OrderItemData),
    can_withdraw: z.boolean().meta({
      description:
        'true for a paid order until the end of the seventh day after the payment (Korean time), unless anything of the order was refunded, or a product of it was installed, activated or launched, or its bundle file downloaded, since the payment; an install plan and a download by a signed URL are no use',
    }),
    receipt_url: nullableText,
    supply_cents: cents.nullable().meta({ description: 'the total without value added tax' }),
    vat_cents: cents.nullable(),
    subscription_name: nullableText,
  })
  .meta({ id: 'OrderData' });

export const OrdersData = z.object({ orders: z.array(OrderData) }).meta({ id: 'OrdersData' });
export const OrderShowData = z.object({ order: OrderData }).meta({ id: 'OrderShowData' });

export const InvoiceListData = z
  .object({
    invoices: z.array(
      z
        .object({
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
        })
        .meta({ id: 'InvoiceData' }),
    ),
    next_after: id.nullable().meta({ description: 'the `after` of the next page; null on the last page' }),
  })
  .meta({ id: 'InvoiceListData' });

export const PaymentMethodListData = z
  .object({
    payment_methods: z.array(
      z
        .object({
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
        })
        .meta({ id: 'PaymentMethodData' }),
    ),
  })
  .meta({ id: 'PaymentMethodListData' });

export const SubscriptionData = z
  .object({
    id,
    status: z.string().meta({
      description:
        '`scheduled`, `trialing`, `active`, `past_due`, `cancelled` or `expired`, by the dates at this moment',
    }),
    status_label: label,
    is_trial: z.boolean(),
    starts_at: dateTime,
    ends_at: dateTime.nullable().meta({ description: 'the end of the paid period' }),
    cancelled_at: dateTime.nullable(),
    order_id: id.nullable(),
    order_number: nullableText,
    can_cancel: z.boolean(),
    cancel_at_period_end: z
      .boolean()
      .meta({ description: 'true if the subscription was cancelled and runs on to `ends_at`' }),
    next_charge_at: dateTime.nullable(),
    renewal_amount_cents: cents.nullable(),
    renewal_currency: nullableText,
    payment_method_brand: nullableText,
    payment_method_last4: nullableText,
    is_apps_subscription: z.boolean(),
    offer_code: nullableText,
    offer_name: nullableText,
    action: z.string().meta({
      description:
        'the action that the buyer can take on the store’s pages: `cancel`; `resume` after a cancellation; `update_payment_method` at `update_payment_method_url` when a payment is due; `renew` at `renewal_url`; or `none`, also where the store names no page for the action',
    }),
    estimated_krw_amount: z
      .int()
      .nullable()
      .meta({ description: 'the renewal amount in won, rounded to the nearest won' }),
    estimated_krw_exchange_rate: nullableText.meta({ description: 'won for one unit of the currency, a decimal' }),
    estimated_krw_exchange_source: nullableText,
    estimated_krw_currency: nullableText,
    update_card_url: nullableText,
    update_payment_method_url: nullableText.meta({ description: 'null once the subscription is over' }),
    renewal_url: nullableText.meta({ description: 'the page on which the subscription is renewed' }),
  })
  .meta({ id: 'SubscriptionData' });

export const SubscriptionsData = z
  .object({ subscriptions: z.array(SubscriptionData) })
  .meta({ id: 'SubscriptionsData' });

export const AppsSubscriptionCheckData = z
  .object({
    has_active_apps_subscription: z.boolean().meta({ description: 'true in the grace period too' }),
    in_grace_period: z.boolean(),
    expires_at: dateTime
      .nullable()
      .meta({ description: 'the end of the paid period; null if there is no end, or if no subscription has begun' }),
    grace_period_ends_at: dateTime.nullable().meta({ description: 'null until the grace period begins' }),
    grace_warning: nullableText,
    tier: z.string().meta({ description: '`none` without a subscription in force' }),
    features: z.array(z.string()),
    allowed_apps: z.array(z.string()).meta({ description: 'bundle identifiers, or slugs where a product has none' }),
    renewal_url: nullableText,
    message: nullableText.meta({
      description: 'the reason why no subscription is in force, or the moment at which the next one begins',
    }),
  })
  .meta({ id: 'AppsSubscriptionCheckData' });
