import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accessTo } from '../../../domain/licensing/access.ts';
import { usableProducts } from '../../../domain/licensing/account-products.ts';
import { aBundle, aCatalog, anEntitlement, aProduct, NOW } from '../../support/builders.ts';

const IDS = [1, 2, 3, 100];
const catalog = aCatalog({
  products: IDS.map((id) => aProduct({ id })),
  bundles: [aBundle({ product_id: 100, product_ids: [1, 2] })],
});

test('a caller may use the products of its scope that it has access to', () => {
  const owned = fc.subarray(IDS);
  fc.assert(
    fc.property(fc.constantFrom(null, ...IDS), owned, (product_id, held) => {
      const holdings = {
        entitlements: held.map((id) => anEntitlement({ id, product_id: id })),
        subscriptions: [],
      };
      const usable = usableProducts(catalog, { product_id }, holdings, NOW);
      const expected = IDS.filter((id) => product_id === null || product_id === id)
        .map((id) => ({
          product: catalog.products.get(id),
          access: accessTo(aProduct({ id }), catalog.bundles, holdings, NOW),
        }))
        .filter(({ access }) => access.granted);
      expect(usable).toEqual(expected);
    }),
  );
});
