import type { Catalog } from './catalog.ts';
import type { Product } from './product.ts';

/** The product whose id this is, as the API writes ids; else the one whose slug it is, which may be made of digits too. */
export const productNamed = ({ products }: Pick<Catalog, 'products'>, named: string): Product | undefined => {
  const byId = /^[1-9]\d*$/.test(named) ? products.get(Number(named)) : undefined;
  return byId ?? [...products.values()].find(({ slug }) => slug === named);
};
