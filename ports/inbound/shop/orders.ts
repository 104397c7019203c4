import * as z from 'zod';
import { ORDER_STATUSES } from '../../../domain/billing/order.ts';
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
  queryStretch,
} from '../fields.ts';
import { shopEndpoints } from './terms.ts';

const order = { order: pathText('id or number of the order') };
const account = { account: pathId('id of the account') };
const shop = shopEndpoints('orders');

export const listShopOrders = shop({
  id: 'listShopOrders',
  path: '/api/shop/orders',
  query: z.object({
    account_id: queryInteger('Only orders of this account.'),
    status: queryOneOf(ORDER_STATUSES, 'Only orders of this status.'),
    since: queryInstant('Only orders from this moment on.'),
    ...queryStretch('moment'),
  }),
  tool: { name: 'shop_list_orders', effect: 'reads', renames: { account_id: 'account' } },
});

export const describeOrder = shop({
  id: 'describeOrder',
  path: '/api/shop/orders/{order}',
  params: z.object(order),
  tool: { name: 'shop_show_order', effect: 'reads' },
});

export const refundOrder = shop({
  id: 'refundOrder',
  method: 'POST',
  path: '/api/shop/orders/{order}/refunds',
  params: z.object(order),
  body: z
    .object({
      item_ids: orNull(z.array(z.int().min(1)).max(100)).meta({ description: 'the items to refund; all without one' }),
      keeps_access: orNull(laxBoolean).meta({ description: 'the buyer may go on using what the items gave' }),
      reason: orNull(line(200)),
      trial: orNull(laxBoolean).meta({ description: 'decide, and change nothing' }),
    })
    .meta({ id: 'ShopRefundBody' }),
  tool: { name: 'shop_refund_order', effect: 'destroys' },
});

const amount = bodyInteger({ minimum: 0 }).meta({ description: 'minor units of the currency' });

export const recordSale = shop({
  id: 'recordSale',
  method: 'POST',
  path: '/api/shop/sales',
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
  tool: { name: 'shop_record_sale', effect: 'adds' },
});

export const listShopSubscriptions = shop({
  id: 'listShopSubscriptions',
  path: '/api/shop/accounts/{account}/subscriptions',
  params: z.object(account),
  query: z.object(queryStretch('moment')),
  tool: { name: 'shop_list_subscriptions', effect: 'reads' },
});

export const describeSubscription = shop({
  id: 'describeSubscription',
  path: '/api/shop/accounts/{account}/subscriptions/{subscription}',
  params: z.object({ ...account, subscription: pathId('id of the subscription') }),
  tool: { name: 'shop_show_subscription', effect: 'reads' },
});
