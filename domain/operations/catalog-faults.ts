import type { Catalog } from '../catalog/catalog.ts';
import type { Category, Product, Tag } from '../catalog/product.ts';
import { policyFaults } from '../policy/policy-faults.ts';
import { dangling, danglingAmong, type Fault, repeatedIds, sharedNames } from '../shared/fault.ts';
import { lineageFaults } from './lineage-faults.ts';
import type { ProductEntry, StoreDocument } from './store-document.ts';

/** The catalog after the import: the stored one, with the document's entries in place of those with the same id. */
export type KnownCatalog = {
  readonly products: ReadonlyMap<number, Product>;
  readonly categories: ReadonlyMap<number, Category>;
  readonly tags: ReadonlyMap<number, Tag>;
};

const replaced = <T extends { readonly id: number }>(
  stored: ReadonlyMap<number, T>,
  entries: readonly T[],
): ReadonlyMap<number, T> => new Map([...stored, ...entries.map((entry) => [entry.id, entry] as const)]);

export const knownAfter = (document: StoreDocument, stored: Catalog): KnownCatalog => ({
  products: replaced(stored.products, document.products),
  categories: replaced(stored.categories, document.categories),
  tags: replaced(stored.tags, document.tags),
});

/** True where the category is among the categories above it. */
const isBelowItself = (category: Category, categories: ReadonlyMap<number, Category>): boolean => {
  const passed = new Set<number>();
  let above = category.parent_id;
  while (above !== null && above !== category.id && !passed.has(above)) {
    passed.add(above);
    above = categories.get(above)?.parent_id ?? null;
  }
  return above === category.id;
};

const categoryFaults = (entries: readonly Category[], { categories }: KnownCatalog): Fault[] => [
  ...repeatedIds('categories', entries),
  ...entries.flatMap((category, i) => {
    const path = `categories.${i}.parent_id`;
    return isBelowItself(category, categories)
      ? [{ path, message: `category ${category.id} would be below itself` }]
      : dangling(path, 'category', category.parent_id, categories);
  }),
];

const productFaults = (entry: ProductEntry, path: string, { categories, tags }: KnownCatalog): Fault[] => [
  ...dangling(`${path}.primary_category_id`, 'category', entry.primary_category_id, categories),
  ...danglingAmong(`${path}.category_ids`, 'category', entry.category_ids, categories),
  ...danglingAmong(`${path}.tag_ids`, 'tag', entry.tag_ids, tags),
  ...repeatedIds(`${path}.outputs`, entry.outputs),
  ...repeatedIds(`${path}.mcp_server.tools`, entry.mcp_server?.tools ?? []),
];

/** The faults of a document's catalog, in itself and beside the stored catalog. */
export const catalogFaults = (document: StoreDocument, stored: Catalog): Fault[] => {
  const known = knownAfter(document, stored);
  const { categories, tags, products, bundles, lineages, policy } = document;
  return [
    ...categoryFaults(categories, known),
    ...repeatedIds('tags', tags),
    ...repeatedIds('products', products),
    ...sharedNames('product', products, 'slug', stored.products.values()),
    ...sharedNames('product', products, 'bundle_id', stored.products.values()),
    ...products.flatMap((entry, i) => productFaults(entry, `products.${i}`, known)),
    ...repeatedIds('bundles', bundles),
    ...bundles.flatMap((bundle, i) => [
      ...dangling(`bundles.${i}.product_id`, 'product', bundle.product_id, known.products),
      ...danglingAmong(`bundles.${i}.product_ids`, 'product', bundle.product_ids, known.products),
    ]),
    ...lineageFaults(lineages, stored.lineages, known.products),
    ...(policy ? policyFaults(policy, 'policy.', known.products) : []),
  ];
};
