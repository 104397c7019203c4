import type { Lineage } from '../catalog/lineage.ts';
import { dangling, danglingAmong, type Fault, repeatedIds, sharedNames } from '../shared/fault.ts';

/**
 * The faults of a document's lineages, among each other, beside the stored ones and in their references to products.
 */
export const lineageFaults = (
  entries: readonly Lineage[],
  stored: readonly Lineage[],
  products: { has(id: number): boolean },
): Fault[] => {
  return [
    ...repeatedIds('lineages', entries),
    ...sharedNames('lineage', entries, 'slug', stored),
    ...entries.flatMap(({ product_ids, current_product_id: current }, i) => [
      ...danglingAmong(`lineages.${i}.product_ids`, 'product', product_ids, products),
      ...dangling(`lineages.${i}.current_product_id`, 'product', current, products),
      ...(current === null || !products.has(current) || product_ids.includes(current)
        ? []
        : [{ path: `lineages.${i}.current_product_id`, message: `product ${current} is none of its product_ids` }]),
    ]),
  ];
};
