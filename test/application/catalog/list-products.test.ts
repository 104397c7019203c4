import { expect, test } from 'vitest';
import type { BrowseInput } from '../../../domain/catalog/browse.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aBundle, anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';

const EVERYTHING: BrowseInput = { category_id: null, tag_id: null, q: null, platform: null, sort: 'id' };
const BUYER = 1;

const open = async (all: Contents) => {
  const service = await aStore([catalog], all);
  return async (input: Partial<BrowseInput> = {}, product_id: number | null = null) => {
    const asked = {
      account_id: BUYER,
      scope: { product_id },
      query: { ...EVERYTHING, ...input },
      locale: 'en' as const,
    };
    return (await service.get('listProducts')(asked)).products;
  };
};
const ids = (products: readonly { id: number }[]) => products.map(({ id }) => id);

test('products on sale are listed with their price and whether the buyer owns them', async () => {
  const list = await open({
    products: [aProduct({ id: 1, unit_price_cents: 300 }), aProduct({ id: 2 })],
    entitlements: [anEntitlement({ account_id: BUYER, product_id: 1 })],
  });
  expect(await list()).toMatchObject([
    { id: 1, name: 'Product 1', unit_price_cents: 300, currency: 'USD', entitled: true },
    { id: 2, name: 'Product 2', entitled: false },
  ]);
});

test('products of an owned bundle are listed as owned, and those of an ended purchase as not owned', async () => {
  const list = await open({
    products: [aProduct({ id: 1 }), aProduct({ id: 2 }), aProduct({ id: 100 })],
    bundles: [aBundle({ product_id: 100, product_ids: [1] })],
    entitlements: [
      anEntitlement({ id: 1, product_id: 100 }),
      anEntitlement({ id: 2, product_id: 2, access_expires_at: addDays(NOW, -1) }),
    ],
  });
  expect((await list()).map(({ entitled }) => entitled)).toEqual([true, false, true]);
});

test('a product that is unpublished or no longer sold is not listed, even to its owner', async () => {
  const list = await open({
    products: [aProduct({ id: 1, published: false }), aProduct({ id: 2, active: false }), aProduct({ id: 3 })],
    entitlements: [anEntitlement({ id: 1, product_id: 1 }), anEntitlement({ id: 2, product_id: 2 })],
  });
  expect(ids(await list())).toEqual([3]);
});

test('a key bound to one product lists that product only', async () => {
  const list = await open({ products: [aProduct({ id: 1 }), aProduct({ id: 2 })] });
  expect(ids(await list({}, 2))).toEqual([2]);
});
