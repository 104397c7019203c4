import { describe, expect, test } from 'vitest';
import type { Order } from '../../../domain/billing/order.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { billing } from '../../../runtimes/composition/areas/billing.ts';
import { anEntitlement, anOrder, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';

/** The orders that account 1 sees. */
const listed = async (orders: readonly Order[], contents: Contents = {}) => {
  const store = await aStore([billing], { products: [aProduct()], orders, ...contents });
  return (await store.get('listOrders')({ account_id: 1, locale: 'en' })).orders;
};

describe('the list of orders', () => {
  test('orders are listed newest first, and of the same moment the one with the higher id first', async () => {
    const orders = [
      anOrder({ id: 1, ordered_at: NOW }),
      anOrder({ id: 2, ordered_at: addDays(NOW, -1) }),
      anOrder({ id: 3, ordered_at: NOW }),
    ];
    expect((await listed(orders)).map(({ id }) => id)).toEqual([3, 1, 2]);
  });

  test('each order is listed with its items and their entitlements', async () => {
    const entitlements = [1, 2].map((id) => anEntitlement({ id, order_id: id, order_item_id: 1 }));
    const shown = await listed([anOrder({ id: 1 }), anOrder({ id: 2, status: 'refunded' })], { entitlements });
    expect(shown).toMatchObject([
      { id: 2, status_label: 'Refunded', items: [{ product_name: 'Product 1', entitlements: [{ id: 2 }] }] },
      { id: 1, status_label: 'Paid', items: [{ product_name: 'Product 1', entitlements: [{ id: 1 }] }] },
    ]);
  });

  test('the orders of another account are not listed', async () => {
    expect(await listed([anOrder({ account_id: 2 })])).toEqual([]);
  });
});
