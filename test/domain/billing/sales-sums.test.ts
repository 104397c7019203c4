import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ORDER_STATUSES, type Order, type Refund } from '../../../domain/billing/order.ts';
import {
  addCount,
  countOfOrder,
  type DaySums,
  daysIn,
  isNothing,
  type OrderCount,
  reportOf,
  sumsOf,
  withAdded,
} from '../../../domain/billing/sales-sums.ts';
import { transactionsOf } from '../../../domain/billing/transactions.ts';
import { isSameJson } from '../../../domain/shared/same-json.ts';
import { anOrder, anOrderItem } from '../../support/builders.ts';

const IN_UTC = daysIn('UTC');
const SALE = '2026-11-02T23:30:00.000Z';
const sold = (more: Partial<Order> = {}): Order => anOrder({ ordered_at: SALE, ...more });
const refund = (more: Partial<Refund> = {}): Refund => ({
  refunded_at: '2026-11-20T10:00:00.000Z',
  item_ids: null,
  keeps_access: false,
  reason: null,
  ...more,
});
const daysOf = (order: Order): DaySums[] => sumsOf(undefined, countOfOrder(order, IN_UTC));
const shown = (order: Order) => reportOf(daysOf(order));

describe('the sums of an order', () => {
  test('a sale counts on the day of its payment, and a refund on the day of the refund', () => {
    const order = sold({ vat_cents: 300, refunds: [refund({ amount_cents: 950 })], status: 'partially_refunded' });
    expect(shown(order).days).toMatchObject([
      { day: '2026-11-02', orders: 1, gross_cents: 1900, tax_cents: 300, refunded_cents: 0, net_cents: 1600 },
      { day: '2026-11-20', orders: 0, gross_cents: 0, refunded_cents: 950, refunded_tax_cents: 150, net_cents: -800 },
    ]);
    expect(shown(order).totals).toMatchObject([{ currency: 'USD', orders: 1, gross_cents: 1900, net_cents: 800 }]);
  });

  test.each([
    ['an unpaid order counts nothing', { status: 'pending' }, []],
    ['a cancelled order counts nothing', { status: 'cancelled' }, []],
    ['a test counts nothing', { test: true }, []],
    ['a refund without a known day counts on that of the sale', { status: 'refunded' }, [{ refunded_cents: 1900 }]],
    ['a withdrawn order is refunded', { status: 'withdrawn' }, [{ gross_cents: 1900, refunded_cents: 1900 }]],
    [
      'a dispute is no refund',
      { status: 'disputed', refunds: [refund({ kind: 'dispute', amount_cents: 1900 })] },
      [{ refunded_cents: 0, disputed_cents: 1900, net_cents: 1900 }],
    ],
    [
      'a dispute without a known day counts on that of the sale',
      { status: 'disputed' },
      [{ disputed_cents: 1900, net_cents: 1900 }],
    ],
    ['the whole refund gives back the whole tax', { vat_cents: 173, refunds: [refund()] }, [{ net_cents: 0 }]],
    ['yen have no minor units', { currency: 'JPY', total_cents: 1900 }, [{ currency: 'JPY', gross_cents: 1900 }]],
    ['dinars have three', { currency: 'KWD', total_cents: 1_234_567 }, [{ currency: 'KWD', gross_cents: 1_234_567 }]],
    ['an order without items counts', { items: [], total_cents: 500 }, [{ orders: 1, units: 0, gross_cents: 500 }]],
    [
      'the largest amounts are split exactly',
      {
        vat_cents: 159_663_865_546,
        items: [1, 2, 3].map((id) => anOrderItem({ id, product_id: id, total_cents: 333_333_333_333 })),
      },
      [{ gross_cents: 999_999_999_999, tax_cents: 159_663_865_546 }],
    ],
  ] as const)('%s', (_, more, totals) => {
    expect(shown(sold(more as Partial<Order>)).totals).toMatchObject(totals);
  });

  test('an order of two products with shipping counts once in total and once for each product', () => {
    const items = [
      anOrderItem({ id: 1, product_id: 1, quantity: 2, total_cents: 1000 }),
      anOrderItem({ id: 2, product_id: 2, total_cents: 500 }),
      anOrderItem({ id: 3, product_id: null, total_cents: 100 }),
    ];
    const report = shown(sold({ items, vat_cents: 16, refunds: [refund({ item_ids: [2] })] }));
    expect(report.totals).toMatchObject([
      { orders: 1, units: 3, gross_cents: 1600, tax_cents: 16, refunded_cents: 500 },
    ]);
    expect(report.products).toMatchObject([
      { product_id: null, orders: 0, units: 0, gross_cents: 100, tax_cents: 1 },
      { product_id: 1, orders: 1, units: 2, gross_cents: 1000, tax_cents: 10, refunded_cents: 0 },
      { product_id: 2, orders: 1, units: 1, gross_cents: 500, tax_cents: 5, refunded_cents: 500 },
    ]);
  });

  const HALVES = [1, 2].map((id) => anOrderItem({ id, product_id: id, total_cents: 950 }));
  const SOURCE = { provider: 'stripe', payment: 'p', subscription: null };
  const LATER = '2026-11-21T10:00:00.000Z';
  test.each<[string, Partial<Order>, number[]]>([
    [
      'a refund by command that the provider tells too counts once',
      { source: SOURCE, refunds: [refund(), refund({ refunded_at: LATER, amount_cents: 1900 })] },
      [950, 950],
    ],
    [
      'an item refunded by command and told as money counts once',
      { source: SOURCE, refunds: [refund({ item_ids: [1] }), refund({ item_ids: [], amount_cents: 950 })] },
      [950, 0],
    ],
    [
      'an item whose access is taken later counts once',
      { refunds: [refund({ item_ids: [1], keeps_access: true }), refund({ item_ids: [1], refunded_at: LATER })] },
      [950, 0],
    ],
    [
      'items and money of a sale without a provider count both',
      { refunds: [refund({ item_ids: [1], amount_cents: 200 }), refund({ item_ids: [2], refunded_at: LATER })] },
      [200, 950],
    ],
    ['a refund of money is of every product', { refunds: [refund({ item_ids: [], amount_cents: 501 })] }, [251, 250]],
  ])('%s', (_, more, refunded) => {
    const { products } = shown(sold({ items: HALVES, ...more }));
    expect(products.map(({ refunded_cents }) => refunded_cents)).toEqual(refunded);
  });

  test('amounts of different currencies or providers are never added together', () => {
    const orders = [
      sold({ id: 1, source: { provider: 'stripe', payment: 'p', subscription: null } }),
      sold({ id: 2, currency: 'KRW' }),
      sold({ id: 3 }),
    ];
    const report = reportOf(orders.flatMap(daysOf));
    expect(report.totals).toMatchObject([
      { currency: 'USD', gross_cents: 3800 },
      { currency: 'KRW', gross_cents: 1900 },
    ]);
    expect(report.providers.map(({ provider, currency, orders: n }) => [provider, currency, n])).toEqual([
      ['stripe', 'USD', 1],
      [null, 'KRW', 1],
      [null, 'USD', 1],
    ]);
  });

  test('a sale counts on the calendar day of the shop’s time zone', () => {
    const count = countOfOrder(sold(), daysIn('Asia/Seoul'));
    expect(count.moments.map(({ day }) => day)).toEqual(['2026-11-03']);
  });

  test('an order with hundreds of refunds changes the sums of only a few days', () => {
    const refunds = Array.from({ length: 300 }, (_, n) =>
      refund({ refunded_at: new Date(Date.UTC(2026, 0, n + 1)).toISOString(), amount_cents: 1 }),
    );
    const days = daysOf(sold({ refunds }));
    expect(days.length).toBeLessThan(40);
    expect(reportOf(days).totals).toMatchObject([{ refunded_cents: 300 }]);
  });
});

const anyOrder = fc
  .record({
    status: fc.constantFrom(...ORDER_STATUSES),
    test: fc.constantFrom(undefined, undefined, true),
    currency: fc.constantFrom('USD', 'JPY', 'KWD'),
    day: fc.integer({ min: 1, max: 4 }),
    provider: fc.constantFrom('stripe', null),
    vat_cents: fc.option(fc.integer({ min: 0, max: 900 })),
    items: fc.array(
      fc.record({
        product_id: fc.constantFrom(1, 2, null),
        quantity: fc.integer({ min: 1, max: 9 }),
        total_cents: fc.integer({ min: 0, max: 5000 }),
      }),
      { maxLength: 4 },
    ),
    refunds: fc.array(
      fc.record({
        day: fc.integer({ min: 1, max: 4 }),
        item_ids: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 })),
        kind: fc.constantFrom(undefined, 'part' as const, 'dispute' as const),
        amount_cents: fc.option(fc.integer({ min: 0, max: 6000 }), { nil: undefined }),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ day, provider, items, refunds, ...more }) =>
    anOrder({
      ...more,
      ordered_at: `2026-11-0${day}T12:00:00.000Z`,
      items: items.map((item, n) => anOrderItem({ ...item, id: n + 1 })),
      refunds: refunds.map(({ day: on, ...one }) => refund({ ...one, refunded_at: `2026-11-0${on}T13:00:00.000Z` })),
      ...(provider && { source: { provider, payment: 'p', subscription: null } }),
    }),
  );

describe('the sums of all orders', () => {
  test('any sequence of writes of an order leaves the sums of its last state', () => {
    fc.assert(
      fc.property(fc.array(anyOrder, { minLength: 1, maxLength: 6 }), (states) => {
        const sums = new Map<string, DaySums>();
        let before: OrderCount | undefined;
        for (const state of states) {
          const after = countOfOrder(state, IN_UTC);
          for (const change of sumsOf(before, after)) {
            const cell = JSON.stringify([change.day, change.currency, change.provider]);
            sums.set(cell, withAdded(sums.get(cell), change));
          }
          before = after;
        }
        const rebuilt = new Map<string, DaySums>();
        addCount(rebuilt, before as OrderCount);
        const [left, due] = [sums, rebuilt].map((all) => [...all].filter(([, one]) => !isNothing(one)));
        return isSameJson(Object.fromEntries(left ?? []), Object.fromEntries(due ?? []));
      }),
    );
  });

  test('the transactions of an order add up to its sums, and one outside the days is left out', () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        const count = countOfOrder(order, IN_UTC);
        const rows = transactionsOf(order, count, { from: '2026-11-01', to: '2026-11-30', slugOf: String });
        for (const name of ['gross_cents', 'tax_cents', 'refunded_cents', 'refunded_tax_cents'] as const) {
          const sum = rows.reduce((all, row) => all + row[name], 0);
          expect(sum).toBe(shown(order).totals[0]?.[name] ?? 0);
          expect(rows.every((row) => row[name] >= 0)).toBe(true);
        }
        expect(rows.filter(({ kind }) => kind === 'sale')).toHaveLength(count.moments.length > 0 ? 1 : 0);
        const [first] = count.moments;
        const on = first ? transactionsOf(order, count, { from: first.day, to: first.day, slugOf: String }) : [];
        expect(on).toEqual(rows.filter(({ day }) => day === first?.day));
      }),
    );
  });

  test('the parts of an order add up to its price and its tax, and a repeated write changes nothing', () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        const [total] = shown(order).totals;
        const count = countOfOrder(order, IN_UTC);
        if (count.moments.length === 0) return total === undefined;
        return (
          (total?.gross_cents ?? 0) === order.total_cents &&
          (total?.tax_cents ?? 0) === (order.vat_cents ?? 0) &&
          sumsOf(count, count).length === 0
        );
      }),
    );
  });
});
