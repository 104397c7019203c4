import type { Permit } from '../../domain/access/permit.ts';
import type { AuditEvent } from '../../domain/audit/event.ts';
import type { Catalog, Disclosure, Storefront } from '../../domain/catalog/catalog.ts';
import type { Lineage } from '../../domain/catalog/lineage.ts';
import type { Bundle, Category, Product, ProductContent, Tag } from '../../domain/catalog/product.ts';
import type { SetupProgress } from '../../domain/catalog/setup-progress.ts';
import type { PolicyInForce } from '../../domain/policy/client-policy.ts';

export interface Catalogs {
  /** The whole catalog. The composition bounds the age of its cache, to 30 seconds at most. */
  current(): Promise<Catalog>;
  /** The content of one product's detail page, with the same maximum age; undefined if the product has none. */
  content(product_id: number): Promise<ProductContent | undefined>;
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

/** Writes the catalog, for the operator's tools. */
export interface CatalogEditor {
  save(permit: Permit, record: CatalogRecord): Promise<'created' | 'updated' | 'unchanged'>;
  /**
   * Saves a changed record; false, with nothing written, if the stored one is no longer `before`, or if the catalog has
   * changed since it was read as `since`.
   */
  revise(
    permit: Permit,
    record: CatalogRecord,
    before: CatalogRecord['value'] | null,
    since?: Catalog,
  ): Promise<boolean>;
}

/** The policy as read, bypassing every cache; `token` is null if no policy was ever set. */
export type ReadPolicy = { readonly policy: PolicyInForce; readonly token: string | null };

/** Writes the client policy, for the operator's tools. Requests read the policy with the catalog. */
export interface Policies {
  read(): Promise<ReadPolicy>;
  /**
   * Writes the policy. Returns false and writes nothing if it has changed since the read. `because` has additional
   * audit events of the change.
   */
  save(permit: Permit, policy: PolicyInForce, read: ReadPolicy, because?: readonly AuditEvent[]): Promise<boolean>;
}

export interface SetupProgresses {
  get(account_id: number, product_id: number): Promise<SetupProgress>;
  /** The account's progress by product id. Products without progress are left out. */
  ofAccount(account_id: number): Promise<ReadonlyMap<number, SetupProgress>>;
  save(permit: Permit, account_id: number, product_id: number, progress: SetupProgress): Promise<void>;
}

export interface HtmlSanitizer {
  /**
   * Removes everything from the HTML that could run, load or submit. Plain formatting, links, images and tables stay.
   */
  sanitize(html: string): Promise<string>;
}
