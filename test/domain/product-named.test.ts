import { describe, expect, test } from 'vitest';
import { productNamed } from '../../domain/catalog/product-named.ts';
import { aCatalog, aProduct } from '../support/builders.ts';

describe('a product that is named', () => {
  const catalog = aCatalog({ products: [aProduct({ id: 1, slug: '2' }), aProduct({ id: 2, slug: '300' })] });

  test.each([
    ['1', 1],
    ['300', 2],
    ['2', 2],
  ])('%s is found by its id, else by its slug', (named, id) => {
    expect(productNamed(catalog, named)?.id).toBe(id);
  });

  test.each(['', ' 1', '1e0', '0x1', '1.0', '3'])('%j is none', (named) => {
    expect(productNamed(catalog, named)).toBeUndefined();
  });
});
