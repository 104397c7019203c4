import type { Product } from '../catalog/product.ts';

export const FOUND_KINDS = ['account', 'order', 'subscription', 'key', 'device', 'ticket', 'event', 'product'] as const;

/** A record that a search found, by its id, or a product by its slug. Only events have a provider. */
export const found = (
  kind: (typeof FOUND_KINDS)[number],
  id: number | string,
  title: string,
  account_id: number | null = null,
  provider: string | null = null,
) => ({ kind, id, title, account_id, provider });

export type Found = ReturnType<typeof found>;

const MOST_PRODUCTS = 10;

/** The products with this slug, or with the text in one of their names. */
export const productsNamed = (products: Iterable<Product>, text: string): Found[] => {
  const wished = text.toLowerCase();
  return [...products]
    .filter(({ slug, name }) => [slug, name.en, name.ko].some((one) => one?.toLowerCase().includes(wished)))
    .slice(0, MOST_PRODUCTS)
    .map(({ slug, name }) => found('product', slug, name.en ?? name.ko ?? slug));
};
