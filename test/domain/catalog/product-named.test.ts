import { describe, expect, test } from 'vitest';
import { productNamed } from '../../../domain/catalog/catalog.ts';
import { aCatalog, aProduct } from '../../support/builders.ts';

describe('the lookup of a product', () => {
  const catalog = aCatalog({ products: [aProduct({ id: 1, slug: '2' }), aProduct({ id: 2, slug: '300' })] });

  test.each([
    ['1', 1],
    ['300', 2],
    ['2', 2],
  ])('the text %s finds product %i by its id or, failing that, by its slug', (named, id) => {
    expect(productNamed(catalog, named)?.id).toBe(id);
  });

  test.each(['', ' 1', '1e0', '0x1', '1.0', '3'])('the text %j finds no product', (named) => {
    expect(productNamed(catalog, named)).toBeUndefined();
  });
});
