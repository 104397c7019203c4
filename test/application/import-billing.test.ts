import { beforeEach, describe, expect, test } from 'vitest';
import { StoreDocument } from '../../ports/inbound/store-document.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { documentFaults } from '../../runtimes/operations/document-faults.ts';
import { memoryService } from '../support/service.ts';
import { accountEntry, aFolder, faultLines, importInto, productEntry } from '../support/store-folder.ts';

let folder: string;
let service: Service;

beforeEach(async () => {
  folder = await aFolder();
  service = memoryService();
});

const SINCE = '2026-01-05T00:00:00Z';

const item = (more: object = {}) => ({
  id: 1,
  product_id: 1,
  list_unit_price_cents: 600,
  unit_price_cents: 500,
  quantity: 2,
  subtotal_cents: 1000,
  discount_total_cents: 100,
  total_cents: 900,
  ...more,
});

const order = (more: object = {}) => ({
  id: 5,
  number: 'O-5',
  status: 'paid',
  ordered_at: SINCE,
  paid_at: SINCE,
  currency: 'USD',
  payment_method: 'card',
  subtotal_cents: 1000,
  discount_total_cents: 100,
  total_cents: 900,
  items: [item()],
  ...more,
});

const invoice = (more: object = {}) => ({
  id: 6,
  number: 'I-6',
  status: 'paid',
  order_id: 5,
  issued_at: SINCE,
  paid_at: SINCE,
  currency: 'USD',
  total_cents: 900,
  ...more,
});

const card = (more: object = {}) => ({
  id: 7,
  type: 'card',
  brand: 'visa',
  last4: '4242',
  exp_month: 1,
  exp_year: 2030,
  ...more,
});

const entitlement = (more: object = {}) => ({
  id: 8,
  product_id: 1,
  order_id: 5,
  order_item_id: 1,
  granted_at: SINCE,
  ...more,
});

const subscription = (more: object = {}) => ({
  id: 9,
  product_ids: [1],
  status: 'active',
  starts_at: SINCE,
  ...more,
});

const BILLED = { billing: { order_id: 5, payment_method_id: 7 } };

const PRODUCTS = [productEntry({ id: 1 }), productEntry({ id: 2 })];

const load = (...accounts: object[]) =>
  importInto(service, folder, {
    products: PRODUCTS,
    accounts: accounts.map((account, n) => accountEntry({ id: n + 1, ...account })),
  });

const faultsOf = async (...accounts: object[]): Promise<string[]> => {
  const outcome = await load(...accounts);
  return outcome.ok ? [] : faultLines(outcome).map((line) => line.replaceAll('accounts.0.', ''));
};

const WHOLE = {
  orders: [order()],
  invoices: [invoice()],
  payment_methods: [card()],
  entitlements: [entitlement()],
  subscriptions: [subscription(BILLED)],
};

describe('an import of what an account paid', () => {
  test('keeps it, counts it, and changes nothing the second time', async () => {
    const created = { created: 1, updated: 0, unchanged: 0 };
    const unchanged = { created: 0, updated: 0, unchanged: 1 };
    const sections = (saved: object) => ({
      orders: saved,
      invoices: saved,
      payment_methods: saved,
      entitlements: saved,
      subscriptions: saved,
    });
    expect(await load(WHOLE)).toMatchObject({ ok: true, value: sections(created) });
    expect(await load(WHOLE)).toMatchObject({ ok: true, value: sections(unchanged) });
    expect(await service.get('orders').ofAccount(1)).toMatchObject([{ id: 5, account_id: 1, items: [{ id: 1 }] }]);
    expect(await service.get('invoices').newest(1, { limit: 9 })).toMatchObject([{ id: 6, account_id: 1 }]);
    expect(await service.get('paymentMethods').ofAccount(1)).toMatchObject([{ id: 7, is_default: false }]);
  });

  test('gives a subscription the number of its order, of the document’s or of the store’s', async () => {
    const numberOf = async () => (await service.get('licenses').held(1, [])).subscriptions[0]?.billing?.order_number;
    await load(WHOLE);
    expect(await numberOf()).toBe('O-5');
    expect(await load({ subscriptions: [subscription(BILLED)] })).toMatchObject({
      value: { subscriptions: { unchanged: 1 } },
    });
    expect(await numberOf()).toBe('O-5');
  });

  test('takes what leads to the store', async () => {
    await load(WHOLE);
    const more = { entitlements: [entitlement()], invoices: [invoice({ id: 61, number: 'I-61' })] };
    expect(await faultsOf({ ...more, subscriptions: [subscription(BILLED)] })).toEqual([]);
  });

  test('never changes the number of an order, nor takes one that is taken', async () => {
    await load(WHOLE);
    expect(await faultsOf({ orders: [order({ number: 'O-6' })] })).toEqual([
      'orders.0.number: order 5 has the number O-5',
    ]);
    expect(await faultsOf({ orders: [order({ id: 6 })] })).toEqual(['orders.0.number: O-5 is the number of order 5']);
    expect(await faultsOf({ orders: [order({ status: 'refunded' })] })).toEqual([]);
  });
});

describe('a document', () => {
  test.each<[string, object, string[]]>([
    [
      'items that don’t add up',
      { orders: [order({ items: [item({ subtotal_cents: 1001 })] })] },
      [
        'orders.0.items.0.subtotal_cents: must be 1000, which is unit_price_cents times quantity',
        'orders.0.items.0.total_cents: must be 901, which is subtotal_cents less discount_total_cents',
        'orders.0.subtotal_cents: must be 1001, which is what its items come to',
      ],
    ],
    [
      'sums of an order that aren’t those of its items',
      { orders: [order({ items: [item(), item({ id: 2, product_id: 2 })] })] },
      [
        'orders.0.subtotal_cents: must be 2000, which is what its items come to',
        'orders.0.discount_total_cents: must be 200, which is what its items come to',
        'orders.0.total_cents: must be 1800, which is what its items come to',
      ],
    ],
    [
      'a total that isn’t the subtotal less the discount',
      { orders: [order({ total_cents: 1000 })] },
      [
        'orders.0.total_cents: must be 900, which is subtotal_cents less discount_total_cents',
        'orders.0.total_cents: must be 900, which is what its items come to',
      ],
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
      'taxes that don’t add up',
      { orders: [order({ supply_cents: 818, vat_cents: 81 })], invoices: [invoice({ vat_cents: 82 })] },
      [
        'orders.0.total_cents: must be 899, which is supply_cents and vat_cents together',
        'invoices.0.supply_cents: supply_cents and vat_cents are both there or neither',
      ],
    ],
    [
      'payments that can’t be',
      {
        orders: [
          order({ paid_at: null }),
          order({ id: 6, number: 'O-6', status: 'pending' }),
          order({ id: 7, number: 'O-7', paid_at: '2026-01-04T00:00:00Z' }),
          order({ id: 8, number: 'O-8', status: 'cancelled', paid_at: null }),
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
        'invoices.0.paid_at: an invoice that is paid was paid some time',
        'invoices.1.paid_at: an invoice that is open was not paid yet',
        'invoices.2.due_at: must not lie before issued_at',
      ],
    ],
    [
      'products and orders that aren’t there',
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
      'entitlements that name an order wrongly',
      {
        orders: [order()],
        entitlements: [
          entitlement({ order_item_id: 2 }),
          entitlement({ id: 81, order_item_id: null }),
          entitlement({ id: 82, order_id: null }),
          entitlement({ id: 83, product_id: 2 }),
          entitlement({ id: 84, product_id: 2, source_product_id: 1 }),
        ],
      },
      [
        'entitlements.0.order_item_id: order 5 has no item 2',
        'entitlements.1.order_item_id: is needed beside order_id',
        'entitlements.2.order_id: is needed beside order_item_id',
        'entitlements.3.order_item_id: item 1 is of product 1',
      ],
    ],
    [
      'ids and numbers that come twice',
      {
        orders: [
          order({ items: [item(), item()], subtotal_cents: 2000, discount_total_cents: 200, total_cents: 1800 }),
        ],
        invoices: [invoice(), invoice()],
        payment_methods: [card({ is_default: true }), card({ is_default: true })],
      },
      [
        'invoices.1.id: 6 is the id of invoices.0 already',
        'payment_methods.1.id: 7 is the id of payment_methods.0 already',
        'invoices.1.number: I-6 is the number of invoices.0 already',
        'orders.0.items.1.id: 1 is the id of orders.0.items.0 already',
        'payment_methods.1.is_default: payment_methods.0 is the default already',
      ],
    ],
    [
      'payment methods that lack something',
      { payment_methods: [card({ last4: null, exp_year: null }), card({ id: 8, type: 'wallet', exp_year: null })] },
      [
        'payment_methods.0.last4: a card has one',
        'payment_methods.0.exp_year: a card has one',
        'payment_methods.1.exp_year: exp_month and exp_year are both there or neither',
      ],
    ],
    [
      'subscriptions whose dates can’t be',
      {
        subscriptions: [
          subscription({ ends_at: '2026-01-04T00:00:00Z' }),
          subscription({ id: 10, status: 'expired' }),
          subscription({ id: 11, status: 'cancelled', ends_at: SINCE }),
          subscription({ id: 12, cancelled_at: SINCE }),
          subscription({ id: 13, ends_at: '9999-12-31T00:00:00Z', grace_days: 2 }),
        ],
      },
      [
        'subscriptions.0.ends_at: must not lie before starts_at',
        'subscriptions.1.ends_at: a subscription that is over or cancelled has an end',
        'subscriptions.2.cancelled_at: a subscription that is cancelled was cancelled some time',
        'subscriptions.3.ends_at: a subscription that is over or cancelled has an end',
        'subscriptions.4.grace_days: must not lead past the year 9999',
      ],
    ],
    [
      'renewals that lack a currency or need no rate',
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
  ])('with %s is refused, each fault by its path', async (_, account, expected) => {
    expect(await faultsOf(account)).toEqual(expected);
    expect(await service.get('orders').ofAccount(1)).toEqual([]);
  });

  test('may not give two accounts one order, one invoice or one number', async () => {
    expect(await faultsOf({ orders: [order()] }, { orders: [order({ id: 6 })] })).toEqual([
      'accounts.1.orders.0.number: O-5 is the number of orders.0 already',
    ]);
    expect(await faultsOf({ orders: [order()] }, { orders: [order({ number: 'O-6' })] })).toEqual([
      'accounts.1.orders.0.id: 5 is the id of orders.0 already',
    ]);
  });
});

describe('the form of a document', () => {
  const formFaults = (account: object): string[] => {
    const document = { format: 1, accounts: [accountEntry({ id: 1, ...account })] };
    const parsed = StoreDocument.safeParse(document);
    const faults = parsed.success ? [] : documentFaults(parsed.error.issues, document);
    return faults.map(({ path, message }) => `${path.replace('accounts.0.', '')}: ${message}`);
  };

  test('takes what is right', () => {
    expect(formFaults(WHOLE)).toEqual([]);
  });

  test.each<[object, string]>([
    [
      { payment_methods: [card({ last4: '4242424242424242' })] },
      'payment_methods.0.last4: must be the last 4 digits alone',
    ],
    [
      { payment_methods: [card({ number: '4242424242424242' })] },
      'payment_methods.0.number: is no member of a store document',
    ],
    [{ payment_methods: [card({ cvc: '123' })] }, 'payment_methods.0.cvc: is no member of a store document'],
    [
      { payment_methods: [card({ brand: '4242 4242 4242 4242' })] },
      'payment_methods.0.brand: must be the name of a brand, with no more than 3 digits',
    ],
    [{ payment_methods: [card({ exp_month: 13 })] }, 'payment_methods.0.exp_month: must be at most 12'],
    [{ orders: [order({ total_cents: 9.5 })] }, 'orders.0.total_cents: must be a whole number'],
    [{ orders: [order({ total_cents: '900' })] }, 'orders.0.total_cents: must be a number'],
    [{ orders: [order({ total_cents: -1 })] }, 'orders.0.total_cents: must be at least 0'],
    [
      { orders: [order({ status: 'shipped' })] },
      'orders.0.status: must be one of pending, paid, partially_refunded, refunded, cancelled, withdrawn',
    ],
    [{ orders: [order({ items: [] })] }, 'orders.0.items: must have at least 1 item'],
    [
      { orders: [order({ number: 'two words' })] },
      'orders.0.number: must be 1 to 64 letters, digits and any of . : / # _ -',
    ],
    [{ orders: [order({ receipt_url: 'http://a.example' })] }, 'orders.0.receipt_url: must be a URL'],
    [{ invoices: [invoice({ status: 'overdue' })] }, 'invoices.0.status: must be one of open, paid, refunded, void'],
    [
      { subscriptions: [subscription({ status: 'paused' })] },
      'subscriptions.0.status: must be one of trialing, active, past_due, cancelled, expired',
    ],
    [
      { entitlements: [entitlement({ grant_type: 'lottery' })] },
      'entitlements.0.grant_type: must be one of purchase, bundle, subscription, promotion, gift, grant',
    ],
    [
      { subscriptions: [subscription({ billing: { krw_exchange: { rate: '1,385', source: 'us' } } })] },
      'subscriptions.0.billing.krw_exchange.rate: must be a decimal above 0 in quotes, such as "1385.20"',
    ],
    [
      { subscriptions: [subscription({ billing: { krw_exchange: { rate: 1385.2, source: 'us' } } })] },
      'subscriptions.0.billing.krw_exchange.rate: must be a text',
    ],
  ])('of %j is refused', (account, expected) => {
    expect(formFaults(account)).toEqual([expected]);
  });
});
