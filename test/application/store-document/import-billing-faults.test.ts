import { beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import {
  card,
  entitlement,
  importAccounts,
  invoice,
  item,
  order,
  SINCE,
  subscription,
} from '../../support/billing-entries.ts';
import { memoryService } from '../../support/service.ts';
import { aFolder, faultLines } from '../../support/store-folder.ts';

let folder: string;
let service: Service;

beforeEach(async () => {
  folder = await aFolder();
  service = memoryService();
});

const load = (...accounts: object[]) => importAccounts(service, folder, ...accounts);

const faultsOf = async (...accounts: object[]): Promise<string[]> => {
  const outcome = await load(...accounts);
  return outcome.ok ? [] : faultLines(outcome).map((line) => line.replaceAll('accounts.0.', ''));
};

describe('a billing document with faults', () => {
  test.each<[string, object, string[]]>([
    [
      'items that do not add up',
      { orders: [order({ items: [item({ subtotal_cents: 1001 })] })] },
      [
        'orders.0.items.0.subtotal_cents: must be 1000, which is unit_price_cents times quantity',
        'orders.0.items.0.total_cents: must be 901, which is subtotal_cents less discount_total_cents',
        'orders.0.subtotal_cents: must be 1001, which is what its items come to',
      ],
    ],
    [
      'sums of an order that differ from its items',
      { orders: [order({ items: [item(), item({ id: 2, product_id: 2 })] })] },
      [
        'orders.0.subtotal_cents: must be 2000, which is what its items come to',
        'orders.0.discount_total_cents: must be 200, which is what its items come to',
        'orders.0.total_cents: must be 1800, which is what its items come to',
      ],
    ],
    [
      'a total that is not the subtotal less the discount',
      { orders: [order({ total_cents: 1000 })] },
      ['orders.0.total_cents: must be 900, which is subtotal_cents less discount_total_cents'],
    ],
    [
      'a discount above the price',
      { orders: [order({ items: [item({ discount_total_cents: 1100, total_cents: 0 })] })] },
      [
        'orders.0.items.0.discount_total_cents: must not be more than subtotal_cents',
        'orders.0.discount_total_cents: must be 1100, which is what its items come to',
        'orders.0.total_cents: must be 0, which is what its items come to',
      ],
    ],
    [
      'taxes that do not add up',
      { orders: [order({ supply_cents: 818, vat_cents: 81 })], invoices: [invoice({ vat_cents: 82 })] },
      [
        'orders.0.total_cents: must be 899, which is supply_cents and vat_cents together',
        'invoices.0.supply_cents: supply_cents and vat_cents are both there or neither',
      ],
    ],
    [
      'contradictory payments',
      {
        orders: [
          order({ paid_at: null }),
          order({ id: 6, number: 'O-6', status: 'pending' }),
          order({ id: 7, number: 'O-7', paid_at: '2026-01-04T00:00:00Z' }),
          order({ id: 8, number: 'O-8', status: 'cancelled', paid_at: null }),
          order({ id: 9, number: 'O-9', status: 'cancelled' }),
        ],
        invoices: [
          invoice({ paid_at: null }),
          invoice({ id: 7, number: 'I-7', status: 'open' }),
          invoice({ id: 8, number: 'I-8', due_at: '2026-01-04T00:00:00Z' }),
        ],
      },
      [
        'orders.0.paid_at: an order that is paid was paid some time',
        'orders.1.paid_at: an order that is pending was not paid yet',
        'orders.2.paid_at: must not lie before ordered_at',
        'orders.4.paid_at: an order that is cancelled was never paid; one whose payment was given back is refunded or withdrawn',
        'invoices.0.paid_at: an invoice that is paid was paid some time',
        'invoices.1.paid_at: an invoice that is open was not paid yet',
        'invoices.2.due_at: must not lie before issued_at',
      ],
    ],
    [
      'unknown products and orders',
      {
        orders: [order({ items: [item({ product_id: 3 })] })],
        invoices: [invoice({ order_id: 4 })],
        subscriptions: [subscription({ billing: { order_id: 4, payment_method_id: 4 } })],
        entitlements: [entitlement({ order_id: 4 })],
      },
      [
        'orders.0.items.0.product_id: there is no product 3',
        'invoices.0.order_id: there is no order 4',
        'entitlements.0.order_id: there is no order 4',
        'subscriptions.0.billing.order_id: there is no order 4',
        'subscriptions.0.billing.payment_method_id: there is no payment method 4',
      ],
    ],
    [
      'entitlements with a wrong order or order item',
      {
        orders: [order()],
        entitlements: [
          entitlement({ order_item_id: 2 }),
          entitlement({ id: 83, product_id: 2 }),
          entitlement({ id: 84, product_id: 2, source_product_id: 1 }),
        ],
      },
      ['entitlements.0.order_item_id: order 5 has no item 2', 'entitlements.1.order_item_id: item 1 is of product 1'],
    ],
    [
      'an order without an item, or an item without its order',
      {
        orders: [order()],
        entitlements: [entitlement({ order_item_id: null }), entitlement({ id: 82, order_id: null })],
      },
      [
        'entitlements.0.order_item_id: order_id and order_item_id are both there or neither',
        'entitlements.1.order_id: order_id and order_item_id are both there or neither',
      ],
    ],
    [
      'two default payment methods',
      { payment_methods: [card({ is_default: true }), card({ id: 71, is_default: true })] },
      ['payment_methods.1.is_default: payment_methods.0 is the default already'],
    ],
    [
      'duplicate ids and numbers',
      {
        orders: [
          order({ items: [item(), item()], subtotal_cents: 2000, discount_total_cents: 200, total_cents: 1800 }),
        ],
        invoices: [invoice(), invoice()],
        payment_methods: [card(), card()],
      },
      [
        'invoices.1.number: "I-6" is already the number of invoices.0',
        'orders.0.items.1.id: 1 is already the id of orders.0.items.0',
        'invoices.1.id: 6 is already the id of invoices.0',
        'payment_methods.1.id: 7 is already the id of payment_methods.0',
      ],
    ],
    [
      'incomplete payment methods',
      { payment_methods: [card({ last4: null, exp_year: null }), card({ id: 8, type: 'wallet', exp_year: null })] },
      [
        'payment_methods.0.last4: a card has one',
        'payment_methods.0.exp_year: a card has one',
        'payment_methods.1.exp_year: exp_month and exp_year are both there or neither',
      ],
    ],
    [
      'subscriptions with contradictory dates',
      {
        subscriptions: [
          subscription({ ends_at: '2026-01-04T00:00:00Z' }),
          subscription({ id: 10, status: 'expired' }),
          subscription({ id: 11, status: 'cancelled', ends_at: SINCE }),
          subscription({ id: 12, cancelled_at: SINCE }),
        ],
      },
      [
        'subscriptions.0.ends_at: must not lie before starts_at',
        'subscriptions.1.ends_at: a subscription that is over or cancelled has an end',
        'subscriptions.2.cancelled_at: a subscription that is cancelled was cancelled some time',
        'subscriptions.3.ends_at: a subscription that is over or cancelled has an end',
      ],
    ],
    [
      'renewals without a currency or with a needless exchange rate',
      {
        subscriptions: [
          subscription({ billing: { renewal_amount_cents: 1 } }),
          subscription({ id: 10, billing: { renewal_currency: 'USD' } }),
          subscription({
            id: 11,
            billing: { renewal_amount_cents: 1, renewal_currency: 'KRW', krw_exchange: { rate: '1', source: 'us' } },
          }),
        ],
      },
      [
        'subscriptions.0.billing.renewal_currency: renewal_amount_cents and renewal_currency are both there or neither',
        'subscriptions.1.billing.renewal_amount_cents: renewal_amount_cents and renewal_currency are both there or neither',
        'subscriptions.2.billing.krw_exchange: is for a renewal_currency other than KRW',
      ],
    ],
  ])('a document with %s is refused with each fault by its path', async (_, account, expected) => {
    expect(await faultsOf(account)).toEqual(expected);
    expect(await service.get('orders').ofAccount(1)).toEqual([]);
  });

  test('a document is refused when two accounts share the id or the number of an order', async () => {
    expect(await faultsOf({ orders: [order()] }, { orders: [order({ id: 6 })] })).toEqual([
      'accounts.1.orders.0.number: "O-5" is already the number of orders.0',
    ]);
    expect(await faultsOf({ orders: [order()] }, { orders: [order({ number: 'O-6' })] })).toEqual([
      'accounts.1.orders.0.id: 5 is already the id of orders.0',
    ]);
  });
});
