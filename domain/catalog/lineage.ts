import type { Localized } from '../shared/locale.ts';
import type { Product } from './product.ts';

/** A line of products of which one followed another. */
export type Lineage = {
  readonly id: number;
  /** Unique in the catalog. */
  readonly slug: string;
  readonly name: Localized;
  readonly description: Localized | null;
  /** Shown to the public. */
  readonly active: boolean;
  /** The first one first. */
  readonly product_ids: readonly number[];
  /** The one of them to take now; null is the last. */
  readonly current_product_id: number | null;
};

/** What a product is to its lineage: what came before the one to take now, that one, or what will follow it. */
export const LINEAGE_ROLES = ['predecessor', 'current', 'successor'] as const;
export type LineageRole = (typeof LINEAGE_ROLES)[number];

export type LineageMember = { readonly product: Product; readonly role: LineageRole };

/**
 * The published products of a lineage in their order, those that are no longer sold among them. An unpublished one leaves
 * no gap that would tell of it: while the one to take now is not published, it is still the one before, or the first.
 */
export const membersOf = (
  { product_ids, current_product_id }: Lineage,
  products: ReadonlyMap<number, Product>,
): LineageMember[] => {
  const named = current_product_id === null ? product_ids.length - 1 : product_ids.indexOf(current_product_id);
  const published = product_ids.flatMap((id, position) => {
    const product = products.get(id);
    return product?.published ? [{ product, position }] : [];
  });
  const current = Math.max(
    0,
    published.findLastIndex(({ position }) => position <= named),
  );
  return published.map(({ product }, n) => ({
    product,
    role: n < current ? 'predecessor' : n === current ? 'current' : 'successor',
  }));
};
