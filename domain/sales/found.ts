import type { Product } from '../catalog/product.ts';

export const FOUND_KINDS = ['account', 'order', 'subscription', 'key', 'ticket', 'event', 'product'] as const;

/** A record that a search found. */
export type Found = {
  readonly kind: (typeof FOUND_KINDS)[number];
  /** The id of the record; the slug of a product. */
  readonly id: number | string;
  readonly title: string;
  readonly account_id: number | null;
  /** The payment provider of an event. */
  readonly provider: string | null;
};

export const found = (
  kind: Found['kind'],
  id: Found['id'],
  title: string,
  account_id: number | null = null,
  provider: string | null = null,
): Found => ({ kind, id, title, account_id, provider });

const MOST_PRODUCTS = 10;

/** The products with this slug, or with the text in one of their names. */
export const productsNamed = (products: Iterable<Product>, text: string): Found[] => {
  const wished = text.toLowerCase();
  return Iterator.from(products)
    .filter(
      ({ slug, name }) =>
        slug === wished ||
        Object.values(name).some((one) => typeof one === 'string' && one.toLowerCase().includes(wished)),
    )
    .take(MOST_PRODUCTS)
    .map(({ slug, name }) => found('product', slug, name.en ?? name.ko ?? slug))
    .toArray();
};
