import type { Catalog } from './catalog.ts';
import type { Product } from './product.ts';

/** The product with this id in decimal digits, or else the product with this slug. A slug can consist of digits too. */
export const productNamed = ({ products }: Pick<Catalog, 'products'>, named: string): Product | undefined => {
  const byId = /^[1-9]\d*$/.test(named) ? products.get(Number(named)) : undefined;
  return byId ?? [...products.values()].find(({ slug }) => slug === named);
};
