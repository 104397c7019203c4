import { LRUCache } from 'lru-cache';
import { type Catalog, type CatalogParts, catalogOf } from '../../domain/catalog/catalog.ts';
import type { ProductContent } from '../../domain/catalog/product.ts';
import type { CatalogEditor, CatalogRecord, Catalogs } from '../../ports/outbound/catalogs.ts';
import { type CacheAge, cacheOptions } from './cache-age.ts';
import { keys } from './keys.ts';
import { allItems, saveRecord } from './records.ts';
import type { Key, Table } from './table.ts';

const CURRENT = 'current';

const keyOf = (record: CatalogRecord): Key => {
  switch (record.kind) {
    case 'content':
      return keys.content(record.value.product_id);
    case 'disclosure':
      return keys.catalogRecord(record.kind, 0);
    default:
      return keys.catalogRecord(record.kind, record.value.id);
  }
};

/** The catalog, read whole and kept for a moment; its detail pages one by one. A write here is seen here at once. */
export class StoredCatalogs implements Catalogs, CatalogEditor {
  readonly #table: Table;
  readonly #catalogs: LRUCache<string, Catalog>;
  readonly #contents: LRUCache<number, { content: ProductContent | undefined }>;

  constructor(table: Table, age: CacheAge) {
    this.#table = table;
    this.#catalogs = new LRUCache({ max: 1, ...cacheOptions(age), fetchMethod: () => this.#read() });
    this.#contents = new LRUCache({
      max: 500,
      ...cacheOptions(age),
      fetchMethod: async (productId: number) => ({ content: (await this.#table.get(keys.content(productId)))?.data }),
    });
  }

  async current(): Promise<Catalog> {
    return this.#catalogs.get(CURRENT) ?? (await this.#catalogs.forceFetch(CURRENT));
  }

  async content(productId: number): Promise<ProductContent | undefined> {
    return (this.#contents.get(productId) ?? (await this.#contents.forceFetch(productId))).content;
  }

  async save(record: CatalogRecord): Promise<'created' | 'updated' | 'unchanged'> {
    const saved = await saveRecord(this.#table, { ...keyOf(record), data: record.value });
    this.forget();
    this.#contents.clear();
    return saved;
  }

  /** Has the catalog read again before it is given out the next time. */
  forget(): void {
    this.#catalogs.clear();
  }

  async #read(): Promise<Catalog> {
    const parts: Record<string, unknown[]> = {};
    for await (const item of allItems(this.#table, keys.catalog())) {
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
