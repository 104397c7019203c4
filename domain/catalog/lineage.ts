import type { Localized } from '../shared/locale.ts';
import type { Product } from './product.ts';

/** A series of products in which each one replaced the previous one. */
export type Lineage = {
  readonly id: number;
  /** Unique in the catalog. */
  readonly slug: string;
  readonly name: Localized;
  readonly description: Localized | null;
  /** True if the lineage is public. */
  readonly active: boolean;
  /** Oldest first. */
  readonly product_ids: readonly number[];
  /** The recommended one of `product_ids`; null means the last. */
  readonly current_product_id: number | null;
};

/** A product's position in its lineage: before the recommended product, the recommended product, or after it. */
export const LINEAGE_ROLES = ['predecessor', 'current', 'successor'] as const;
export type LineageRole = (typeof LINEAGE_ROLES)[number];

export type LineageMember = { readonly product: Product; readonly role: LineageRole };

/**
 * The published products of a lineage in their order, including products that are no longer sold. Unpublished products
 * are not revealed: while the recommended one is unpublished, the last published one before it is `current`, or else
 * the first.
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
