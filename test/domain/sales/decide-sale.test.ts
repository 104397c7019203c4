import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decidedSale, type KnownSale, namesOf, toldSale } from '../../../domain/sales/decide-sale.ts';
import { NO_ORDER, NO_SUBSCRIPTION } from '../../../domain/sales/sale.ts';
import type { SaleEvent } from '../../../domain/sales/sale-event.ts';
import { aPrice, order, PRODUCTS, refund, subscription } from '../../support/sale-events.ts';

const UNKNOWN = { order: NO_ORDER, subscription: NO_SUBSCRIPTION, beginning: NO_ORDER };
const NO_RECORDS = { order: undefined, entitlements: [], subscription: undefined };

/** The sale after an event, in account 7; its records get ids from 101 on. */
const after = (event: SaleEvent, before: Partial<KnownSale> = {}, products = PRODUCTS): KnownSale => {
  const known: KnownSale = { ...UNKNOWN, names: namesOf(event), records: NO_RECORDS, ...before };
  const told = toldSale(known, event, products);
  if (!told.ok) throw new Error(told.code);
  let id = 100;
  return { ...known, ...decidedSale(known, told.value, event, 7, () => ++id) };
};

test('a payment makes an order and an entitlement for each product, each with its own id', () => {
  const { records } = after(order());
  expect(records.order).toMatchObject({ id: 101, account_id: 7, source: { provider: 'stripe', payment: 'pay-1' } });
  expect(records.entitlements.map(({ id, product_id }) => [id, product_id])).toEqual([
    [102, 1],
    [103, 2],
  ]);
});

test('an event without news returns the same sale, even after the price list changed', () => {
  const known = after(order());
  const again = toldSale(known, order(), []);
  expect(again.ok && again.value.order).toBe(known.order);
});

test('a refund makes no record before its order is known and then revokes what the order gave', () => {
  const early = after(refund());
  expect(early.records).toEqual(NO_RECORDS);
  expect(after(order(), { order: early.order }).records.order).toMatchObject({ id: 101, status: 'refunded' });
});

test('a changed plan replaces the earlier one, in whatever order and how often its events arrive', () => {
  const [timer, ...others] = PRODUCTS;
  const prices = [
    aPrice('p-basic'),
    aPrice('p-pro', { edition: 'pro', features: ['export'] }),
    aPrice('p-add-on', { features: ['sync'], requires: [] }),
  ];
  const products = [{ ...timer, prices } as (typeof PRODUCTS)[number], ...others];
  const plan = (minute: number, ...things: { price: string; quantity: number }[]) => subscription({ things }, minute);
  const last = plan(4, { price: 'p-basic', quantity: 1 });
  const events = [
    plan(1, { price: 'p-basic', quantity: 5 }),
    plan(2, { price: 'p-pro', quantity: 5 }, { price: 'p-add-on', quantity: 1 }),
    plan(3, { price: 'p-pro', quantity: 1 }),
    last,
  ];
  const orders = fc.tuple(
    fc.shuffledSubarray(events, { minLength: events.length }),
    fc.array(fc.constantFrom(...events), { maxLength: 3 }),
  );
  fc.assert(
    fc.property(orders, ([first, again]) => {
      const sale = [...first, ...again].reduce<Partial<KnownSale>>((known, event) => after(event, known, products), {});
      expect(sale.records?.subscription).toStrictEqual(after(last, {}, products).records.subscription);
    }),
  );
});
