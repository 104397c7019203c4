import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantPermit } from 'account-service/domain/access/grant-permit';
import { RateProduct, type Rating, rate } from './rate-product.ts';

const NOW = '2026-11-22T09:00:00.000Z';
const use = { product_id: 4, first_used_at: NOW, last_used_at: NOW };

/** The use case of an account that has used product 4, and the ratings that it has kept. */
const aShop = () => {
  const kept: [number, number, Rating][] = [];
  const rateProduct = new RateProduct({
    clock: { now: () => NOW },
    productUses: { of: async () => new Map([[4, { use, version: '1' }]]) },
    ratings: { save: async (_permit, ...rating) => void kept.push(rating) },
  });
  return { kept, rateProduct };
};
const asked = { accountId: 1, stars: 5, permit: Promise.resolve(grantPermit()) };

test('an account that has used a product may rate it', () => {
  assert.deepEqual(rate(use, 3, NOW), { ok: true, value: { stars: 3, rated_at: NOW } });
  assert.deepEqual(rate(undefined, 3, NOW), { ok: false, code: 'product_not_used' });
});

test('a rating is kept with its moment', async () => {
  const { kept, rateProduct } = aShop();
  assert.equal((await rateProduct.execute({ ...asked, productId: 4 })).ok, true);
  assert.deepEqual(kept, [[1, 4, { stars: 5, rated_at: NOW }]]);
});

test('a refused rating is not kept', async () => {
  const { kept, rateProduct } = aShop();
  assert.equal((await rateProduct.execute({ ...asked, productId: 5 })).ok, false);
  assert.deepEqual(kept, []);
});

test('nothing is kept before the gates let the request pass', async () => {
  const { kept, rateProduct } = aShop();
  void rateProduct.execute({ ...asked, productId: 4, permit: new Promise(() => {}) });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(kept, []);
});
