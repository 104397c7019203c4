import type { Permit } from '../../domain/access/permit.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Disclosure } from '../../domain/catalog/disclosure.ts';
import type { Lineage } from '../../domain/catalog/lineage.ts';
import type { Bundle, Category, Product, ProductContent, Tag } from '../../domain/catalog/product.ts';
import type { Storefront } from '../../domain/catalog/storefront.ts';

export interface Catalogs {
  /** The whole catalog. It can be as old as the composition allows, at most 30 seconds. */
  current(): Promise<Catalog>;
  /** The content of one product's detail page, of the same age; undefined where the product has none. */
  content(productId: number): Promise<ProductContent | undefined>;
}

export type CatalogRecord =
  | { readonly kind: 'product'; readonly value: Product }
  | { readonly kind: 'category'; readonly value: Category }
  | { readonly kind: 'tag'; readonly value: Tag }
  | { readonly kind: 'bundle'; readonly value: Bundle }
  | { readonly kind: 'lineage'; readonly value: Lineage }
  | { readonly kind: 'disclosure'; readonly value: Disclosure }
  | { readonly kind: 'storefront'; readonly value: Storefront }
  | { readonly kind: 'content'; readonly value: ProductContent };

/** The writing side, for the operator's tools. */
export interface CatalogEditor {
  save(permit: Permit, record: CatalogRecord): Promise<'created' | 'updated' | 'unchanged'>;
}
