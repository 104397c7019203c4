import { DEFAULT_POLICY, type PolicyInForce } from '../policy/client-policy.ts';
import type { Disclosure } from './disclosure.ts';
import type { Lineage } from './lineage.ts';
import type { Bundle, Category, Product, Tag } from './product.ts';
import type { Storefront } from './storefront.ts';

export type CatalogParts = {
  readonly products: readonly Product[];
  readonly categories: readonly Category[];
  readonly tags: readonly Tag[];
  readonly bundles: readonly Bundle[];
  readonly lineages?: readonly Lineage[] | undefined;
  readonly policy?: PolicyInForce | undefined;
  readonly disclosure?: Disclosure | undefined;
  readonly storefront?: Storefront | undefined;
};

/** One consistent, immutable snapshot of everything that the store sells, with its indexes. */
export type Catalog = {
  readonly products: ReadonlyMap<number, Product>;
  readonly productsByBundleId: ReadonlyMap<string, Product>;
  readonly categories: ReadonlyMap<number, Category>;
  readonly tags: ReadonlyMap<number, Tag>;
  /** By id. Bundles that are no longer sold are included, because their owners keep the products in them. */
  readonly bundles: readonly Bundle[];
  /** By id. Inactive lineages are included. */
  readonly lineages: readonly Lineage[];
  readonly policy: PolicyInForce;
  /** Null until the operator has entered one. */
  readonly disclosure: Disclosure | null;
  /** Null until the operator has entered one. */
  readonly storefront: Storefront | null;
};

const byId = <T extends { readonly id: number }>(rows: readonly T[]): ReadonlyMap<number, T> =>
  new Map([...rows].sort((a, b) => a.id - b.id).map((row) => [row.id, row]));

export const catalogOf = (parts: CatalogParts): Catalog => {
  const {
    products,
    categories,
    tags,
    bundles,
    lineages = [],
    policy = DEFAULT_POLICY,
    disclosure = null,
    storefront = null,
  } = parts;
  return {
    products: byId(products),
    productsByBundleId: new Map(products.flatMap((p) => (p.bundle_id === null ? [] : [[p.bundle_id, p] as const]))),
    categories: byId(categories),
    tags: byId(tags),
    bundles: [...bundles].sort((a, b) => a.id - b.id),
    lineages: [...lineages].sort((a, b) => a.id - b.id),
    policy,
    disclosure,
    storefront,
  };
};
