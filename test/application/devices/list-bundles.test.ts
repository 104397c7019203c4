import { describe, expect, test } from 'vitest';
import { devicesHandlers as devices } from '../../../adapters/pipeline/handlers/devices.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import { aBundle, anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';

const products = [
  aProduct({ id: 1 }),
  aProduct({ id: 2 }),
  aProduct({ id: 100 }),
  aProduct({ id: 3, published: false }),
];
const bundle = aBundle({ product_ids: [1, 2], name: { en: 'Everything', ko: '전부' } });

/** The bundles that account 1 sees, with a key for the whole account or for one product. */
const shown = async (contents: Contents = {}, boundTo: number | null = null, locale: Locale = 'en') => {
  const store = await aStore([devices], { products, bundles: [bundle], ...contents });
  return (await store.get('listBundles')({ account_id: 1, scope: { product_id: boundTo }, locale })).bundles;
};

describe('the list of bundles', () => {
  test('a bundle on sale is shown with its products to an account that does not own it', async () => {
    const row = { id: 1, product_id: 100, name: 'Everything', product_ids: [1, 2], entitled: false };
    expect(await shown()).toEqual([row]);
    expect(await shown({}, null, 'ko')).toEqual([{ ...row, name: '전부' }]);
  });

  test('a bundle is entitled if it is owned itself, not if only its products are', async () => {
    const parts = [anEntitlement({ id: 1, product_id: 1 }), anEntitlement({ id: 2, product_id: 2 })];
    expect(await shown({ entitlements: parts })).toMatchObject([{ entitled: false }]);
    expect(await shown({ entitlements: [anEntitlement({ product_id: 100 })] })).toMatchObject([{ entitled: true }]);
    const ended = anEntitlement({ product_id: 100, access_expires_at: NOW });
    expect(await shown({ entitlements: [ended] })).toMatchObject([{ entitled: false }]);
  });

  test('a bundle that is no longer sold is not shown', async () => {
    expect(await shown({ bundles: [{ ...bundle, active: false }] })).toEqual([]);
  });

  test('a hidden product is not listed in a bundle, except for an account that may use it', async () => {
    const bundles = [{ ...bundle, product_ids: [1, 3] }];
    expect(await shown({ bundles })).toMatchObject([{ product_ids: [1] }]);
    const entitlements = [anEntitlement({ product_id: 3 })];
    expect(await shown({ bundles, entitlements })).toMatchObject([{ product_ids: [1, 3] }]);
  });

  test('a bundle that is a hidden product is shown only to its owner', async () => {
    const bundles = [aBundle({ product_id: 3 })];
    expect(await shown({ bundles })).toEqual([]);
    const entitlements = [anEntitlement({ product_id: 3 })];
    expect(await shown({ bundles, entitlements })).toMatchObject([{ product_id: 3, entitled: true }]);
  });

  test('a key bound to one product sees only bundles with that product', async () => {
    const bundles = [bundle, aBundle({ id: 2, product_id: 2, product_ids: [1] })];
    const seenBy = async (product: number) => (await shown({ bundles }, product)).map(({ id }) => id);
    expect([await seenBy(1), await seenBy(100), await seenBy(2), await seenBy(9)]).toEqual([[1, 2], [1], [1, 2], []]);
  });
});
