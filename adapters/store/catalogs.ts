import { LRUCache } from 'lru-cache';
import type { Permit } from '../../domain/access/permit.ts';
import { type Subject, savedEvent } from '../../domain/audit/event.ts';
import { type Catalog, type CatalogParts, catalogOf } from '../../domain/catalog/catalog.ts';
import type { ProductContent } from '../../domain/catalog/product.ts';
import type { CatalogEditor, CatalogRecord, Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Audited, AuditTrail } from './audit-trail.ts';
import { type CacheAge, cacheOptions } from './cache-age.ts';
import { itemOf } from './item-of.ts';
import { catalogKeys } from './keys/catalog.ts';
import { allItems, type Saved, saveRecord } from './records.ts';
import type { NewItem, Table } from './table.ts';

const CURRENT = 'current';

const itemOfRecord = (record: CatalogRecord): NewItem => {
  switch (record.kind) {
    case 'content':
      return itemOf(catalogKeys.content(record.value.product_id), record.value);
    case 'disclosure':
      return itemOf(catalogKeys.record(record.kind, 0), record.value);
    default:
      return itemOf(catalogKeys.record(record.kind, record.value.id), record.value);
  }
};

const subjectOf = (record: CatalogRecord): Subject => {
  switch (record.kind) {
    case 'content':
      return { kind: 'content', id: record.value.product_id, product_id: record.value.product_id };
    case 'product':
      return { kind: 'product', id: record.value.id, product_id: record.value.id };
    case 'disclosure':
      return { kind: 'disclosure', id: 0 };
    default:
      return { kind: record.kind, id: record.value.id };
  }
};

/**
 * Reads the catalog as a whole, and the content of each product's page by itself, and caches both for the age it is
 * given. Its own writes clear the cache; another process's writes show once the cached catalog is that old.
 */
export class StoredCatalogs implements Catalogs, CatalogEditor {
  readonly #table: Table;
  readonly #trail: AuditTrail;
  readonly #catalogs: LRUCache<string, Catalog>;
  readonly #contents: LRUCache<number, { content: ProductContent | undefined }>;

  constructor({ table, auditTrail }: Audited, age: CacheAge) {
    this.#table = table;
    this.#trail = auditTrail;
    this.#catalogs = new LRUCache({ max: 1, ...cacheOptions(age), fetchMethod: () => this.#read() });
    this.#contents = new LRUCache({
      max: 500,
      ...cacheOptions(age),
      fetchMethod: async (productId: number) => ({
        content: (await this.#table.get(catalogKeys.content(productId)))?.data,
      }),
    });
  }

  async current(): Promise<Catalog> {
    return this.#catalogs.get(CURRENT) ?? (await this.#catalogs.forceFetch(CURRENT));
  }

  async content(productId: number): Promise<ProductContent | undefined> {
    return (this.#contents.get(productId) ?? (await this.#contents.forceFetch(productId))).content;
  }

  async save(permit: Permit, record: CatalogRecord): Promise<Saved> {
    const saved = await saveRecord(this.#table, itemOfRecord(record), (before) =>
      this.#trail.entry(permit, savedEvent(subjectOf(record), before, record.value)),
    );
    this.forget();
    this.#contents.clear();
    return saved;
  }

  /** Clears the cached catalog, so that the next call reads it again. */
  forget(): void {
    this.#catalogs.clear();
  }

  async #read(): Promise<Catalog> {
    const parts: Record<string, unknown[]> = {};
    for await (const item of allItems(this.#table, catalogKeys.catalog())) {
      const kind = item.sk.slice(0, item.sk.indexOf('#'));
      (parts[kind] ??= []).push(item.data);
    }
    const { PRODUCT = [], CATEGORY = [], TAG = [], BUNDLE = [], LINEAGE = [], POLICY = [], DISCLOSURE = [] } = parts;
    return catalogOf({
      products: PRODUCT,
      categories: CATEGORY,
      tags: TAG,
      bundles: BUNDLE,
      lineages: LINEAGE,
      policy: POLICY[0],
      disclosure: DISCLOSURE[0],
    } as CatalogParts);
  }
}
