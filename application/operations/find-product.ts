import type { Product } from '../../domain/catalog/product.ts';
import { productNamed } from '../../domain/catalog/product-named.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';

/** The refusal of a product that is not there. */
export const productMissing = (named: string): Refused<'product_not_found'> =>
  refuse('product_not_found', { message: `There is no product ${named}.` });

export type Ports = { catalogs: Catalogs };

/** The product with an id or slug. */
export const findProduct =
  ({ catalogs }: Ports) =>
  async (named: string): Promise<Outcome<Product, 'product_not_found'>> => {
    const product = productNamed(await catalogs.current(), named);
    return product ? ok(product) : productMissing(named);
  };

export type FindProduct = ReturnType<typeof findProduct>;
