import type { Lineage } from '../catalog/lineage.ts';
import { dangling, danglingAmong, type Fault, repeatedIds, repeats } from '../shared/fault.ts';

/**
 * The faults of a document's lineages, among each other, beside the stored ones and in their references to products.
 */
export const lineageFaults = (
  entries: readonly Lineage[],
  stored: readonly Lineage[],
  products: { has(id: number): boolean },
): Fault[] => {
  const replaced = new Set(entries.map(({ id }) => id));
  const owners = new Map(stored.filter(({ id }) => !replaced.has(id)).map(({ slug, id }) => [slug, id]));
  return [
    ...repeatedIds('lineages', entries),
    ...repeats(
      entries,
      ({ slug }) => slug,
      (i, first, slug) => ({
        path: `lineages.${i}.slug`,
        message: `"${slug}" is the slug of lineages.${first} already`,
      }),
    ),
    ...entries.flatMap(({ slug, product_ids, current_product_id: current }, i) => [
      ...(owners.has(slug)
        ? [{ path: `lineages.${i}.slug`, message: `"${slug}" is the slug of lineage ${owners.get(slug)} already` }]
        : []),
      ...danglingAmong(`lineages.${i}.product_ids`, 'product', product_ids, products),
      ...dangling(`lineages.${i}.current_product_id`, 'product', current, products),
      ...(current === null || !products.has(current) || product_ids.includes(current)
        ? []
        : [{ path: `lineages.${i}.current_product_id`, message: `product ${current} is none of its product_ids` }]),
    ]),
  ];
};
