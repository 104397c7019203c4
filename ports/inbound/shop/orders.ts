import * as z from 'zod';
import { ORDER_STATUSES } from '../../../domain/billing/order.ts';
import { endpoint } from '../endpoint.ts';
import {
  bodyInstant,
  bodyInteger,
  laxBoolean,
  line,
  orNull,
  pathId,
  pathText,
  queryInstant,
  queryInteger,
  queryOneOf,
  queryRows,
} from '../fields.ts';

const access = { credential: 'agent', role: 'orders' } as const;
const order = { order: pathText('id or number of the order') };
const account = { account: pathId('id of the account') };
const refusals = ['shop_not_found', 'shop_refused'] as const;
const one = { kind: 'json', status: 200 } as const;

export const listShopOrders = endpoint({
  id: 'listShopOrders',
  host: 'shop',
  method: 'GET',
  path: '/api/shop/orders',
  access,
  query: z.object({
    account_id: queryInteger('Only orders of this account.'),
    status: queryOneOf(ORDER_STATUSES, 'Only orders of this status.'),
    since: queryInstant('Only orders from this moment on.'),
    limit: queryRows,
  }),
  output: one,
  refusals,
  tool: { name: 'shop_list_orders', effect: 'reads' },
});

export const describeOrder = endpoint({
  id: 'describeOrder',
  host: 'shop',
  method: 'GET',
  path: '/api/shop/orders/{order}',
  params: z.object(order),
  access,
  output: one,
  refusals,
  tool: { name: 'shop_show_order', effect: 'reads' },
});

export const refundOrder = endpoint({
  id: 'refundOrder',
  host: 'shop',
  method: 'POST',
  path: '/api/shop/orders/{order}/refunds',
  params: z.object(order),
  access,
  body: z
    .object({
      item_ids: orNull(z.array(z.int().min(1)).max(100)).meta({ description: 'the items to refund; all without one' }),
      keeps_access: orNull(laxBoolean).meta({ description: 'the buyer may go on using what the items gave' }),
      reason: orNull(line(200)),
      trial: orNull(laxBoolean).meta({ description: 'decide, and change nothing' }),
    })
    .meta({ id: 'ShopRefundBody' }),
  output: one,
  refusals,
  tool: { name: 'shop_refund_order', effect: 'destroys' },
});

const amount = bodyInteger({ minimum: 0 }).meta({ description: 'minor units of the currency' });

export const recordSale = endpoint({
  id: 'recordSale',
  host: 'shop',
  method: 'POST',
  path: '/api/shop/sales',
  access,
  body: z
    .object({
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
      lines: z
        .array(
          z.object({
            product: line(200, 1).meta({ description: 'slug of the product' }),
            quantity: orNull(bodyInteger({ minimum: 1, maximum: 100_000 })),
            total_cents: amount,
            discount_cents: orNull(amount),
          }),
        )
        .min(1)
        .max(100),
    })
    .meta({ id: 'ShopSaleBody' }),
  output: one,
  refusals,
  tool: { name: 'shop_record_sale', effect: 'adds' },
});

export const listShopSubscriptions = endpoint({
  id: 'listShopSubscriptions',
  host: 'shop',
  method: 'GET',
  path: '/api/shop/accounts/{account}/subscriptions',
  params: z.object(account),
  access,
  output: one,
  refusals,
  tool: { name: 'shop_list_subscriptions', effect: 'reads' },
});

export const describeSubscription = endpoint({
  id: 'describeSubscription',
  host: 'shop',
  method: 'GET',
  path: '/api/shop/accounts/{account}/subscriptions/{subscription}',
  params: z.object({ ...account, subscription: pathId('id of the subscription') }),
  access,
  output: one,
  refusals,
  tool: { name: 'shop_show_subscription', effect: 'reads' },
});
