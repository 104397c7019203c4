import { expect, test } from 'vitest';
import { addDays } from '../../../domain/shared/instant.ts';
import { billing } from '../../../runtimes/composition/areas/billing.ts';
import { anOrder, aProduct, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

test('orders are listed newest first, and of the same moment the one with the higher id first', async () => {
  const orders = [
    anOrder({ id: 1, ordered_at: NOW }),
    anOrder({ id: 2, ordered_at: addDays(NOW, -1) }),
    anOrder({ id: 3, ordered_at: NOW }),
  ];
  const store = await aStore([billing], { products: [aProduct()], orders });
  const listed = await store.get('listOrders')({ account_id: 1, locale: 'en' });
  expect(listed.orders.map(({ id }) => id)).toEqual([3, 1, 2]);
});
