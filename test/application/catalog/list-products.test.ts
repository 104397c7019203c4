import { describe, expect, test } from 'vitest';
import type { BrowseInput } from '../../../domain/catalog/browse.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aBundle, aCategory, anEntitlement, aProduct, aTag, NOW } from '../../support/builders.ts';
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

describe('a search of the products', () => {
  const search = () =>
    open({
      categories: [aCategory({ id: 1 }), aCategory({ id: 2, parent_id: 1 }), aCategory({ id: 3 })],
      tags: [aTag({ id: 7 })],
      products: [
        aProduct({ id: 1, name: { en: 'Sums files', ko: '더하기' }, category_ids: [2], unit_price_cents: 5000 }),
        aProduct({ id: 2, name: { en: 'Clock' }, platforms: ['macos'], tag_ids: [7], created_at: NOW }),
        aProduct({ id: 3, name: { en: 'Alarm' }, platforms: ['linux-amd64'], category_ids: [3] }),
      ],
    });

  test.each<[string, Partial<BrowseInput>, number[]]>([
    ['a category finds the products of the categories below it', { category_id: 1 }, [1]],
    ['a tag finds the products that have it', { tag_id: 7 }, [2]],
    ['words find a product when each of them occurs, whatever the case', { q: 'FILES sums' }, [1]],
    ['words find a product in the language that is not shown', { q: '더하기' }, [1]],
    ['words that do not all occur find nothing', { q: 'sums clock' }, []],
    ['a platform finds the products for it and those for every platform', { platform: 'macos' }, [1, 2]],
    ['names sort the products by the alphabet', { sort: 'name' }, [3, 2, 1]],
    ['prices sort the dearest product first when they are reversed', { sort: '-price' }, [1, 2, 3]],
    ['newest sorts the latest product first', { sort: 'newest' }, [2, 1, 3]],
  ])('%s', async (_, input, found) => {
    expect(ids(await (await search())(input))).toEqual(found);
  });
});

test('a product whose texts are in no language has an empty name and no description', async () => {
  const list = await open({ products: [aProduct({ name: { en: ' ' }, description: { ko: '' } })] });
  expect(await list()).toMatchObject([{ name: '', description: null, content_locale: null }]);
});
