import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Order } from '../../../domain/billing/order.ts';
import type { OrderFacts, RefundFacts, SaleEvent, SubscriptionFacts } from '../../../domain/sales/sale-event.ts';
import { sales } from '../../../runtimes/composition/areas/sales.ts';
import { EVERY_ENTRY } from '../../support/audited.ts';
import { aProduct } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { at, buyer, EMAIL, order, PRODUCTS, period, refund, subscription } from '../../support/sale-events.ts';

const aShop = () => aStore([sales], { products: PRODUCTS });
type Shop = Awaited<ReturnType<typeof aShop>>;

const PRICE = {
  provider: 'stripe',
  device_limit: null,
  access_days: null,
  updates_days: null,
  grace_days: 0,
  apps: null,
};

const record = (shop: Shop, event: SaleEvent) => shop.get('recordSale')(grantPermit(), event);

/** The buyer's records without ids. */
const held = async (shop: Shop) => {
  const account = await shop.get('accounts').findByEmail(EMAIL);
  if (!account) return { orders: [], rights: [], periods: [] };
  const [orders, { entitlements, subscriptions }] = await Promise.all([
    shop.get('storedOrders').ofAccount(account.id),
    shop.get('storedLicenses').held(account.id),
  ]);
  return {
    orders: orders.map(({ status, total_cents, refunds = [], items }) => ({
      status,
      total_cents,
      refunds,
      products: items.map(({ product_id }) => product_id),
    })),
    rights: entitlements
      .filter(({ revoked_at }) => revoked_at === null)
      .map(({ product_id }) => product_id)
      .toSorted(),
    periods: subscriptions.map(({ status, ends_at, product_ids }) => ({ status, ends_at, product_ids })),
  };
};

describe('a recorded sale', () => {
  test('a sale opens the account and grants its products by their prices, and repeating it changes nothing', async () => {
    const shop = await aShop();
    const first = await record(shop, order());
    expect(first).toMatchObject({ ok: true, value: { result: 'recorded' } });
    const account = await shop.get('accounts').findByEmail(EMAIL);
    const { entitlements } = await shop.get('storedLicenses').held(account?.id ?? 0);
    expect(entitlements).toMatchObject([
      { product_id: 1, device_limit: 2, updates_supported_until: '2027-11-20T10:01:00.000Z', granted_at: at(1) },
      { product_id: 2, device_limit: null, updates_supported_until: null },
    ]);
    const [stored] = await shop.get('storedOrders').ofAccount(account?.id ?? 0);
    expect(stored).toMatchObject({
      status: 'paid',
      supply_cents: 2700,
      subtotal_cents: 3500,
      discount_total_cents: 500,
    });
    expect(stored?.number).toMatch(/^20261120-[A-Z0-9]+$/);
    const before = await shop.entries();
    expect(await record(shop, order())).toMatchObject({ value: { result: 'unchanged' } });
    expect(await shop.entries()).toEqual(before);
  });

  test('a sale stores the provider’s ids with its order, even one that was stored without them', async () => {
    const shop = await aShop();
    await record(shop, period('pay-2', true));
    const account = await shop.get('accounts').findByEmail(EMAIL);
    const stored = async () => (await shop.get('storedOrders').ofAccount(account?.id ?? 0))[0];
    const source = { provider: 'stripe', payment: 'pay-2', subscription: 'sub-1' };
    expect((await stored())?.source).toEqual(source);
    const { source: _, ...older } = (await stored()) as Order;
    await shop.get('billingRecords').saveOrder(grantPermit(), older);
    expect((await stored())?.source).toBeUndefined();
    await record(shop, refund({ order_reference: 'pay-2' }));
    expect((await stored())?.source).toEqual(source);
  });

  test('a sale is logged with its grants', async () => {
    const shop = await aShop();
    await record(shop, order());
    await record(shop, refund());
    const told = await Array.fromAsync(shop.get('auditLog').list(EVERY_ENTRY));
    const actions = told.map(({ action }) => action).filter((action) => !action.startsWith('product.'));
    expect(actions.toSorted()).toEqual([
      'account.created',
      'entitlement.created',
      'entitlement.created',
      'entitlement.revoked',
      'entitlement.revoked',
      'order.created',
      'order.refunded',
    ]);
  });

  test('a sale that arrives four times at once is one order, one account and its products once', async () => {
    const shop = await aShop();
    const results = await Promise.all([1, 2, 3, 4].map(() => record(shop, order())));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(await held(shop)).toMatchObject({ orders: [{ status: 'paid' }], rights: [1, 2] });
  });

  test('a payment that must be new is recorded once, and never takes the order of another sale', async () => {
    const shop = await aShop();
    const asNew = (event: SaleEvent) => shop.get('recordSale')(grantPermit(), event, { must_be_new: true });
    const twice = await Promise.all([asNew(order()), asNew(order({ ordered_at: at(2), paid_at: at(3) }, 3))]);
    expect(new Set(twice.map((one) => done(one).order_id)).size).toBe(1);
    const before = await held(shop);
    for (const facts of [
      { total_cents: 2500 },
      { test: true },
      { lines: [{ price: 'p-notes', quantity: 1, total_cents: 3000, discount_cents: 0 }] },
      { buyer: { ...buyer, email: 'somebody-else@example.com' } },
    ]) {
      expect(await asNew(order(facts, 9))).toMatchObject({ ok: false, code: 'reference_taken' });
    }
    expect(await held(shop)).toEqual(before);
    expect(await shop.get('accounts').findByEmail('somebody-else@example.com')).toBeUndefined();
  });

  test('a sale to a known address belongs to its account', async () => {
    const shop = await aShop();
    await record(shop, order());
    await record(shop, order({ reference: 'pay-2', ordered_at: at(2) }));
    expect((await held(shop)).orders).toHaveLength(2);
  });

  test.each<[string, Partial<OrderFacts>, string]>([
    [
      'a price that no product has',
      { lines: [{ price: 'p-x', quantity: 1, total_cents: 3000, discount_cents: 0 }] },
      'product_not_found',
    ],
    [
      'a product that is not there',
      { lines: [{ product: 'x', quantity: 1, total_cents: 3000, discount_cents: 0 }] },
      'product_not_found',
    ],
    ['a currency that is none', { currency: 'ZZZ' }, 'currency_unknown'],
    [
      'an amount that is no whole number',
      { lines: [{ price: 'p-timer', quantity: 1, total_cents: 0.5, discount_cents: 0 }] },
      'amounts_contradict',
    ],
    [
      'a quantity below nothing',
      { lines: [{ price: 'p-timer', quantity: -1, total_cents: 3000, discount_cents: 0 }] },
      'amounts_contradict',
    ],
    [
      'more lines than the store document has',
      { lines: Array.from({ length: 101 }, () => ({ quantity: 1, total_cents: 1, discount_cents: 0 })) },
      'too_many_lines',
    ],
    [
      'more units than the store document has',
      { lines: [{ price: 'p-timer', quantity: 1_000_001, total_cents: 3000, discount_cents: 0 }] },
      'amounts_contradict',
    ],
    [
      'more money than the store document has',
      { lines: [{ price: 'p-timer', quantity: 1, total_cents: 3000, discount_cents: 1_000_000_000_000 }] },
      'amounts_contradict',
    ],
    ['a reference that is too long', { reference: 'x'.repeat(256) }, 'reference_too_long'],
    ['a buyer without an address', { buyer: { ...buyer, email: '' } }, 'email_invalid'],
    ['a buyer whose address no export could bring back', { buyer: { ...buyer, email: 'a@b.co>' } }, 'email_invalid'],
    [
      'more lines than one transaction writes',
      {
        total_cents: 21,
        vat_cents: null,
        lines: Array.from({ length: 21 }, () => ({ product: 'timer', quantity: 1, total_cents: 1, discount_cents: 0 })),
      },
      'too_many_lines',
    ],
  ])('a sale with %s is refused, and nothing is written', async (_, facts, code) => {
    const shop = await aShop();
    const before = await shop.entries();
    expect(await record(shop, order(facts))).toMatchObject({ ok: false, code, message: expect.stringMatching(/\.$/) });
    expect(await shop.entries()).toEqual(before);
  });

  test.each<[string, Partial<SubscriptionFacts>]>([
    [
      'more units',
      {
        things: [
          { price: 'p-timer', quantity: 600_000 },
          { price: 'p-timer', quantity: 600_000 },
        ],
      },
    ],
    ['a higher renewal', { renewal_amount_cents: 1_000_000_001, renewal_currency: 'USD' }],
  ])('a sale of a subscription with %s than the store document has is refused', async (_, facts) => {
    const shop = await aShop();
    expect(await record(shop, subscription(facts))).toMatchObject({ code: 'amounts_contradict' });
  });

  test.each([
    'unpaid',
    'paused',
    'cancelled',
    'expired',
  ] as const)('a subscription that is %s without a known end ended when the event arrived', async (status) => {
    const shop = await aShop();
    await record(shop, subscription({ status, ends_at: null }, 7));
    expect((await held(shop)).periods).toMatchObject([{ ends_at: at(7) }]);
  });

  test('a sale stores its buyer’s address only in the account', async () => {
    const shop = await aShop();
    await record(shop, order());
    const kept = (await shop.entries()).filter((entry) => JSON.stringify(entry).includes('SALE#'));
    expect(kept.length).toBeGreaterThan(0);
    expect(JSON.stringify(kept)).not.toContain(EMAIL);
  });
});

test.each<[string, (minute: number) => SaleEvent]>([
  ['an order', (minute) => order({ receipt_url: `https://pay.example.com/${minute}` }, minute)],
  ['a subscription', (minute) => subscription({ next_charge_at: at(minute) }, minute)],
])('news of %s belongs to its account, even after the account changed its address', async (_, event) => {
  const shop = await aShop();
  const first = await record(shop, event(1));
  const account = await shop.get('accounts').findByEmail(EMAIL);
  if (!account) throw new Error('There is no account.');
  await shop.get('accounts').revise(grantPermit(), account, { ...account, email: 'new@example.com' }, []);
  expect(done(await record(shop, event(2)))).toEqual({ ...done(first), result: 'updated' });
  expect(await shop.get('accounts').findByEmail(EMAIL)).toBeUndefined();
});

const timer = { price: 'p-timer', quantity: 1, total_cents: 2000, discount_cents: 0 };
const NAMELESS = 'Shipping, fees and rounding';

describe('a line of a sale', () => {
  test.each<[string, OrderFacts['lines'], number, readonly (readonly [string | undefined, number, number])[]]>([
    [
      'with a price that no product has',
      [timer, { price: 'p-x', text: 'Sticker', quantity: 2, total_cents: 1000, discount_cents: 0 }],
      3000,
      [
        ['Timer', 1, 2000],
        ['Sticker', 2, 1000],
      ],
    ],
    [
      'without a price',
      [timer, { text: 'Setup\u202eby phone', quantity: 1, total_cents: 1000, discount_cents: 0 }],
      3000,
      [
        ['Timer', 1, 2000],
        ['Setup by phone', 1, 1000],
      ],
    ],
    [
      'of usage, which has no units',
      [timer, { price: 'p-notes', text: '0 calls', quantity: 0, total_cents: 0, discount_cents: 0 }],
      2000,
      [
        ['Timer', 1, 2000],
        ['0 calls', 1, 0],
      ],
    ],
    [
      'of usage that costs less than a cent each',
      [timer, { text: '1000 calls', quantity: 1000, total_cents: 70, discount_cents: 0 }],
      2070,
      [
        ['Timer', 1, 2000],
        ['1000 calls', 1, 70],
      ],
    ],
    [
      'that is short of the total by shipping',
      [timer],
      2500,
      [
        ['Timer', 1, 2000],
        [NAMELESS, 1, 500],
      ],
    ],
    ['that is above the total by a cent', [timer], 1999, [['Timer', 1, 1999]]],
    [
      'of a credit for an older plan',
      [{ text: 'Unused time', quantity: 1, total_cents: -600, discount_cents: 0 }, timer],
      1400,
      [['Timer', 1, 1400]],
    ],
    [
      'of a credit above all others',
      [{ text: 'Unused time', quantity: 1, total_cents: -600, discount_cents: 0 }],
      -600,
      [['Unused time', 1, 0]],
    ],
  ])('an unknown line (%s) does not block the others: the order has its text and amount, and the provider’s total', async (_, lines, total_cents, items) => {
    const shop = await aShop();
    done(await record(shop, order({ lines, total_cents, vat_cents: null })));
    const account = await shop.get('accounts').findByEmail(EMAIL);
    const [stored] = await shop.get('storedOrders').ofAccount(account?.id ?? 0);
    expect(stored?.total_cents).toBe(Math.max(0, total_cents));
    expect(
      stored?.items.map(({ product_name, product_id, quantity, total_cents: price }) => [
        product_id === null ? product_name?.en : 'Timer',
        quantity,
        price,
      ]),
    ).toEqual(items);
    expect((await held(shop)).rights).toEqual(lines.includes(timer) ? [1] : []);
  });

  test('a line of an unknown product is reported to the operator and granted once the catalog is fixed', async () => {
    const shop = await aShop();
    const told = order({ lines: [timer, { ...timer, price: 'p-x', total_cents: 1000 }] });
    const reason = expect.stringContaining('No product has the price p-x of stripe');
    expect(await record(shop, told)).toMatchObject({ value: { result: 'recorded', reason } });
    expect(await record(shop, told)).toMatchObject({ value: { result: 'unchanged', reason } });
    await shop.put({ products: [aProduct({ id: 3, slug: 'memo', prices: [{ ...PRICE, id: 'p-x' }] })] });
    expect(await record(shop, told)).toMatchObject({ value: { result: 'updated', reason: null } });
    expect(await held(shop)).toMatchObject({ orders: [{ products: [1, 3], total_cents: 3000 }], rights: [1, 3] });
    expect(await record(shop, told)).toMatchObject({ value: { result: 'unchanged', reason: null } });
  });

  test('an unknown or metered line of a subscription does not block the known ones', async () => {
    const shop = await aShop();
    const things = [{ price: 'p-x' }, { price: 'p-timer', quantity: null }, { price: 'p-apps', quantity: 2 }];
    const told = subscription({ things: [...things, { price: 'p-apps', quantity: null }] });
    expect(await record(shop, told)).toMatchObject({ value: { reason: expect.stringContaining('price p-x') } });
    const account = await shop.get('accounts').findByEmail(EMAIL);
    const { subscriptions } = await shop.get('storedLicenses').held(account?.id ?? 0);
    expect(subscriptions).toMatchObject([{ product_ids: [1, 2, 3], units: { 1: 1, 2: 2, 3: 2 } }]);
    await record(shop, subscription({ things: [{ price: 'p-apps', quantity: 0 }] }, 3));
    expect((await held(shop)).periods).toMatchObject([{ ends_at: at(3), product_ids: [2, 3] }]);
    await record(shop, subscription({ things: [{ price: 'p-apps', quantity: 1 }] }, 4));
    expect((await held(shop)).periods).toMatchObject([{ ends_at: '2026-12-20T10:00:00.000Z' }]);
  });
});

describe('a dispute', () => {
  const dispute = (facts: Partial<RefundFacts> = {}, minute = 5) =>
    refund({ reference: 'dispute-1', cause: 'chargeback', amount_cents: 3000, ...facts }, minute);

  test.each<[string, readonly SaleEvent[], string, readonly number[]]>([
    ['that is open or lost takes the access', [dispute()], 'disputed', []],
    ['of a part of the money takes the access', [dispute({ amount_cents: 100 })], 'disputed', []],
    ['that is won gives it back', [dispute(), dispute({ amount_cents: 0, cause: 'refund' }, 6)], 'paid', [1, 2]],
    [
      'that was reversed in two parts gives it back',
      [dispute(), ...[1000, 2000].map((one, n) => dispute({ reference: `r-${n}`, amount_cents: -one }, 6 + n))],
      'paid',
      [1, 2],
    ],
    [
      'that was reversed in part does not',
      [dispute(), dispute({ reference: 'r-1', amount_cents: -1 }, 6)],
      'disputed',
      [],
    ],
    [
      'that is won leaves a refund of a part',
      [refund({ amount_cents: 1000 }), dispute(), dispute({ amount_cents: 0, cause: 'refund' }, 6)],
      'partially_refunded',
      [1, 2],
    ],
    ['of an order that is refunded leaves it so', [dispute(), refund({}, 6)], 'refunded', []],
  ])('%s', async (_, events, status, rights) => {
    for (const told of [
      [order(), ...events],
      [...events.toReversed(), order()],
    ]) {
      const shop = await aShop();
      for (const event of told) await record(shop, event);
      expect(await held(shop)).toMatchObject({ orders: [{ status }], rights });
    }
  });

  test('a dispute that an older version stored as a refund is over once it is won', async () => {
    const shop = await aShop();
    for (const event of [order(), dispute()]) await record(shop, event);
    const account = (await shop.get('accounts').findByEmail(EMAIL))?.id ?? 0;
    const [stored] = await shop.get('storedOrders').ofAccount(account);
    if (!stored?.refunds) throw new Error('There is no dispute.');
    const refunds = stored.refunds.map(({ kind: _, amount_cents: __, ...one }) => one);
    await shop.put({ orders: [{ ...stored, status: 'refunded', refunds }] });
    await record(shop, dispute({ amount_cents: 0, cause: 'refund' }, 6));
    expect(await held(shop)).toMatchObject({ orders: [{ status: 'paid', refunds: [] }], rights: [1, 2] });
  });
});

describe('a refund from a provider', () => {
  test('a partial refund ends the access if the provider says so', async () => {
    const shop = await aShop();
    for (const event of [order(), refund({ amount_cents: 1000, ends_access: true })]) await record(shop, event);
    expect(await held(shop)).toMatchObject({
      orders: [{ status: 'partially_refunded', refunds: [{ amount_cents: 1000, kind: 'part' }] }],
      rights: [],
    });
    await record(shop, refund({ reference: 'refund-2', amount_cents: 2000 }, 6));
    expect(await held(shop)).toMatchObject({ orders: [{ status: 'refunded' }] });
  });

  test('a refund may come before its order', async () => {
    const shop = await aShop();
    expect(await record(shop, refund())).toMatchObject({ value: { result: 'recorded', account_id: null } });
    await record(shop, order());
    expect(await held(shop)).toMatchObject({ orders: [{ status: 'refunded' }], rights: [] });
  });

  test('a refund of part of the money revokes nothing until the parts reach the total', async () => {
    const shop = await aShop();
    await record(shop, order());
    await record(shop, refund({ amount_cents: 1000 }));
    expect(await held(shop)).toMatchObject({ orders: [{ status: 'partially_refunded' }], rights: [1, 2] });
    await record(shop, refund({ reference: 'refund-2', amount_cents: 2000 }, 6));
    expect(await held(shop)).toMatchObject({ orders: [{ status: 'refunded' }], rights: [] });
  });

  test('a refund of a line revokes only that line', async () => {
    const shop = await aShop();
    await record(shop, order());
    await record(shop, refund({ amount_cents: 1000, things: [{ price: 'p-notes' }] }));
    expect(await held(shop)).toMatchObject({ orders: [{ status: 'partially_refunded' }], rights: [1] });
  });

  test('a refund of a known order needs no catalog, so a removed price does not block it', async () => {
    const shop = await aShop();
    await record(shop, order());
    await shop.put({ products: [aProduct({ id: 1, slug: 'timer' })] });
    await record(shop, refund({ cause: 'chargeback' }));
    expect(await held(shop)).toMatchObject({ orders: [{ refunds: [{ reason: 'chargeback' }] }], rights: [] });
  });

  test('a refund keeps what the operator changed meanwhile', async () => {
    const shop = await aShop();
    await record(shop, order());
    const account = (await shop.get('accounts').findByEmail(EMAIL))?.id ?? 0;
    const [timer] = (await shop.get('storedLicenses').held(account)).entitlements;
    if (!timer) throw new Error('There is no entitlement.');
    await shop.get('grants').saveEntitlement(grantPermit(), { ...timer, device_limit: 9 });
    await record(shop, refund({ amount_cents: 1000, things: [{ price: 'p-notes' }] }));
    await record(shop, order({ receipt_url: 'https://pay.example.com/1' }, 2));
    const after = (await shop.get('storedLicenses').held(account)).entitlements;
    expect(after.map(({ device_limit, revoked_at }) => [device_limit, revoked_at])).toEqual([
      [9, null],
      [null, at(5)],
    ]);
  });
});

describe('changes by the operator', () => {
  test('news of a sale keeps the operator’s changes: a withdrawal, a refund by command, a card and a first use', async () => {
    const shop = await aShop();
    for (const event of [order(), period('pay-9', true), subscription()]) await record(shop, event);
    const account = (await shop.get('accounts').findByEmail(EMAIL))?.id ?? 0;
    const stored = await shop.get('storedOrders').ofAccount(account);
    const byHand = { refunded_at: at(2), item_ids: [1], keeps_access: true, reason: 'a gift' };
    const [held] = (await shop.get('storedLicenses').held(account)).subscriptions;
    await shop.put({
      orders: stored.map((one) =>
        one.total_cents === 900
          ? { ...one, status: 'withdrawn' as const }
          : { ...one, refunds: [byHand], items: one.items.map((item) => ({ ...item, first_used_at: at(2) })) },
      ),
      subscriptions: held?.billing ? [{ ...held, billing: { ...held.billing, payment_method_id: 4 } }] : [],
    });
    await record(
      shop,
      order(
        {
          receipt_url: 'https://pay.example.com/1',
          total_cents: 2900,
          lines: [
            { price: 'p-timer', quantity: 1, total_cents: 1900, discount_cents: 0 },
            { price: 'p-notes', quantity: 1, total_cents: 1000, discount_cents: 500 },
          ],
        },
        3,
      ),
    );
    await record(shop, subscription({ next_charge_at: '2027-01-20T10:00:00.000Z' }, 3));
    await record(shop, refund({ order_reference: 'pay-9' }));
    const orders = await shop.get('storedOrders').ofAccount(account);
    expect(orders.find(({ total_cents }) => total_cents === 2900)).toMatchObject({
      status: 'partially_refunded',
      receipt_url: 'https://pay.example.com/1',
      refunds: [byHand],
      items: [{ total_cents: 1900, first_used_at: at(2) }, { first_used_at: at(2) }],
    });
    expect(orders.find(({ total_cents }) => total_cents === 900)).toMatchObject({ status: 'withdrawn' });
    expect((await shop.get('storedLicenses').held(account)).subscriptions).toMatchObject([
      { status: 'cancelled', billing: { payment_method_id: 4 } },
    ]);
  });

  test('a changed price list changes no earlier sale', async () => {
    const shop = await aShop();
    await record(shop, order());
    await shop.put({ products: [aProduct({ id: 3, slug: 'memo', prices: PRODUCTS[0]?.prices })] });
    const before = await held(shop);
    await record(shop, refund({ amount_cents: 1 }));
    expect((await held(shop)).rights).toEqual(before.rights);
  });

  test('an older state of an order is recorded despite a changed price list', async () => {
    const shop = await aShop();
    await record(shop, subscription());
    await record(shop, period('pay-1', false, 2));
    await shop.put({ products: [1, 2, 3].map((id) => aProduct({ id, slug: `product-${id}` })) });
    done(await record(shop, period('pay-1', true, 1)));
    await record(shop, refund());
    expect((await held(shop)).periods).toMatchObject([{ status: 'cancelled' }]);
  });
});

describe('a subscription from a provider', () => {
  test('a subscription gives all products of its price, and is renewed by its newest state', async () => {
    const shop = await aShop();
    await record(shop, subscription({ ends_at: '2027-01-20T10:00:00.000Z' }, 9));
    await record(shop, subscription({}, 1));
    expect((await held(shop)).periods).toEqual([
      { status: 'active', ends_at: '2027-01-20T10:00:00.000Z', product_ids: [2, 3] },
    ]);
  });

  test('a subscription of a discontinued price can be renewed and ended', async () => {
    const shop = await aShop();
    await record(shop, subscription());
    await shop.put({ products: [2, 3].map((id) => aProduct({ id, slug: `product-${id}` })) });
    done(await record(shop, subscription({ ends_at: '2027-01-20T10:00:00.000Z' }, 9)));
    expect(done(await record(shop, period('pay-2', false, 9)))).toMatchObject({ reason: null });
    expect((await held(shop)).periods).toMatchObject([{ ends_at: '2027-01-20T10:00:00.000Z', product_ids: [2, 3] }]);
    done(await record(shop, subscription({ status: 'expired', ends_at: at(12) }, 12)));
    expect((await held(shop)).periods).toMatchObject([{ status: 'expired' }]);
  });

  test.each([
    ['the payment first', (): SaleEvent[] => [period('pay-1', true), subscription()]],
    ['the subscription first', (): SaleEvent[] => [subscription(), period('pay-1', true)]],
  ])('a subscription ends with the refund of its first payment, and not with that of a renewal (%s)', async (_, events) => {
    const shop = await aShop();
    for (const event of events()) await record(shop, event);
    await record(shop, period('pay-2', false, 2));
    await record(shop, refund({ order_reference: 'pay-2', reference: 'refund-2' }, 3));
    expect((await held(shop)).periods).toMatchObject([{ status: 'active' }]);
    await record(shop, refund({}, 5));
    expect((await held(shop)).periods).toMatchObject([{ status: 'cancelled', ends_at: at(5) }]);
  });
});

const only = (price: string) => ({
  total_cents: 2000,
  vat_cents: null,
  lines: [{ price, quantity: 1, total_cents: 2000, discount_cents: 0 }],
});

/** Random events of one payment and one subscription, each with its own facts. */
const anEvent = fc
  .record({
    minute: fc.integer({ min: 1, max: 9 }),
    facts: fc.oneof(
      fc
        .constantFrom(only('p-timer'), only('p-notes'), {})
        .chain((lines) =>
          fc.constantFrom<Partial<OrderFacts>>(
            lines,
            { ...lines, status: 'pending', paid_at: null },
            { ...lines, status: 'cancelled' },
            { ...lines, receipt_url: 'https://pay.example.com/1' },
          ),
        ),
      fc
        .constantFrom('refund-1', 'refund-2')
        .chain((reference) =>
          fc.constantFrom<Partial<RefundFacts>>(
            { reference },
            { reference, amount_cents: 1000 },
            { reference, amount_cents: 2000 },
            { reference, amount_cents: 500, things: [{ price: 'p-notes' }] },
            { reference, cause: 'chargeback', order_reference: 'pay-9' },
          ),
        )
        .map((facts) => ({ kind: 'refund', ...facts }) as const),
      fc
        .constantFrom<Partial<SubscriptionFacts>>(
          {},
          { things: [{ price: 'p-timer' }] },
          { ends_at: '2027-01-20T10:00:00.000Z' },
          { status: 'cancelled', cancelled_at: at(7) },
        )
        .map((facts) => ({ kind: 'subscription', ...facts }) as const),
      fc.constant({ kind: 'period' } as const),
    ),
  })
  .map(({ minute, facts }): SaleEvent => {
    if (!('kind' in facts)) return order(facts as Partial<OrderFacts>, minute);
    if (facts.kind === 'refund') return refund(facts, minute);
    return facts.kind === 'subscription' ? subscription(facts, minute) : period('pay-9', true, minute);
  });

describe('a history of events', () => {
  const HISTORY: readonly SaleEvent[] = [
    order({ status: 'pending', paid_at: null }, 0),
    order(),
    order({ receipt_url: 'https://pay.example.com/1' }, 3),
    refund({ amount_cents: 1000 }),
    refund({ reference: 'refund-2', amount_cents: 500, things: [{ price: 'p-notes' }] }, 6),
    period('pay-9', true),
    period('pay-10', false, 4),
    subscription(),
    subscription({ ends_at: '2027-01-20T10:00:00.000Z' }, 4),
    subscription({ status: 'cancelled', cancelled_at: at(7) }, 7),
  ];

  test('a history leads to the same records in whatever order and however often its events come', async () => {
    const straight = await aShop();
    for (const event of HISTORY) await record(straight, event);
    const expected = await held(straight);
    const byTotal = (a: { total_cents: number; status: string }, b: typeof a) =>
      `${a.total_cents} ${a.status}` < `${b.total_cents} ${b.status}` ? -1 : 1;
    const deliveries = fc.tuple(
      fc.shuffledSubarray([...HISTORY], { minLength: HISTORY.length }),
      fc.subarray([...HISTORY]),
    );
    await fc.assert(
      fc.asyncProperty(deliveries, async ([all, again]) => {
        const shop = await aShop();
        for (const event of [...all, ...again]) expect(await record(shop, event)).toMatchObject({ ok: true });
        const reached = await held(shop);
        expect({ ...reached, orders: reached.orders.toSorted(byTotal) }).toEqual({
          ...expected,
          orders: expected.orders.toSorted(byTotal),
        });
      }),
      { numRuns: 60 },
    );
  });

  test('any set of events leads to the same records in any order', async () => {
    const reached = async (events: readonly SaleEvent[]) => {
      const shop = await aShop();
      for (const event of events) expect(await record(shop, event)).toMatchObject({ ok: true });
      const { orders, ...rest } = await held(shop);
      return { ...rest, orders: orders.map((one) => JSON.stringify(one)).toSorted() };
    };
    const histories = fc
      .array(anEvent, { minLength: 2, maxLength: 7 })
      .chain((events) =>
        fc.tuple(fc.constant(events), fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 })),
      );
    await fc.assert(
      fc.asyncProperty(histories, async ([events, again]) => {
        expect(await reached(again)).toEqual(await reached(events));
      }),
      { numRuns: 300 },
    );
  });

  test('two refunds in the same second are both stored, and one remains when the other changes', async () => {
    const [shop, all, part] = [await aShop(), refund(), refund({ reference: 'refund-2', amount_cents: 3000 })];
    for (const event of [part, order(), all]) await record(shop, event);
    const amounts = async () => (await held(shop)).orders[0]?.refunds?.map(({ amount_cents }) => amount_cents);
    expect(await amounts()).toEqual([3000, undefined]);
    await record(shop, refund({ refunded_at: at(6) }, 6));
    expect(await amounts()).toEqual([3000, undefined]);
  });

  test('two refunds of the same second and amount are both stored, and one remains if the other failed', async () => {
    const shop = await aShop();
    const half = (reference: string, change: object = {}, n = 5) =>
      refund({ reference, refunded_at: at(5), amount_cents: 1000, ...change }, n);
    for (const event of [order(), half('refund-1'), half('refund-2')]) await record(shop, event);
    const amounts = async () => (await held(shop)).orders[0]?.refunds?.map(({ amount_cents }) => amount_cents);
    expect(await amounts()).toEqual([1000, 1000]);
    await record(shop, half('refund-1', { amount_cents: 0 }, 6));
    expect(await amounts()).toEqual([1000]);
  });

  test.each<[string, readonly SaleEvent[]]>([
    ['an order that lost a line', [order({}, 1), order(only('p-timer'), 2)]],
    ['an order with another product in its line', [order(only('p-timer'), 1), order(only('p-notes'), 2)]],
    ['an order that was cancelled and paid after all', [order({}, 1), order({ status: 'cancelled' }, 2), order({}, 3)]],
    ['a refund that was made smaller', [order(), refund({ amount_cents: 3000 }, 5), refund({ amount_cents: 1000 }, 6)]],
    ['a subscription that changed its plan', [subscription(), subscription({ things: [{ price: 'p-timer' }] }, 2)]],
  ])('a history of %s reaches only the newest facts', async (_, events) => {
    const [all, last] = [await aShop(), await aShop()];
    for (const event of events) expect(await record(all, event)).toMatchObject({ ok: true });
    const first = events[0]?.facts.kind;
    const kept = events.filter(
      ({ facts }, n) => n === events.length - 1 || (facts.kind !== events.at(-1)?.facts.kind && facts.kind === first),
    );
    for (const event of kept) await record(last, event);
    expect(await held(all)).toEqual(await held(last));
  });
});
