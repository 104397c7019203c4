import { describe, expect, test } from 'vitest';
import { billing } from '../../../runtimes/composition/areas/billing.ts';
import { anOrder, aProduct } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

/** The answer to account 1 about an order: order 1 is its own, order 2 is another account's. */
const shown = async (order_id: number | null) => {
  const orders = [anOrder({ id: 1, number: 'O-2026-1' }), anOrder({ id: 2, account_id: 2 })];
  const store = await aStore([billing], { products: [aProduct()], orders });
  return store.get('showOrder')({ account_id: 1, order_id, locale: 'en' });
};

describe('an order', () => {
  test('an account is shown its own order with its items', async () => {
    const order = { id: 1, number: 'O-2026-1', status: 'paid', items: [{ product_name: 'Product 1', quantity: 1 }] };
    expect(await shown(1)).toMatchObject({ ok: true, value: { order } });
  });

  test('another account’s order, an unknown one and an invalid id are refused alike', async () => {
    for (const order_id of [2, 3, null]) expect(await shown(order_id)).toEqual({ ok: false, code: 'order_not_found' });
  });
});

test('an unknown product of an order and a nameless subscription have no name', async () => {
  const order = anOrder({ subscription_name: { en: '' } });
  const store = await aStore([billing], { orders: [order] });
  expect(await store.get('showOrder')({ account_id: 1, order_id: 1, locale: 'en' })).toMatchObject({
    value: { order: { subscription_name: null, items: [{ product_name: '' }] } },
  });
});
