import { CONFLICT, untilWritten } from '../../application/shared/contended.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Subject, savedEvent } from '../../domain/audit/event.ts';
import { type Catalog, type CatalogParts, catalogOf } from '../../domain/catalog/catalog.ts';
import type { ProductContent } from '../../domain/catalog/product.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { CatalogEditor, CatalogRecord, Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { Audited } from './audit-trail.ts';
import type { CacheAge } from './cache-age.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import type { TellFault } from './kept.ts';
import { KeptBeside } from './kept-beside.ts';
import { catalogKeys } from './keys/catalog.ts';
import { editionKeys } from './keys/editions.ts';
import { CATALOG } from './keys/shared.ts';
import { changeOf, PartitionCopy } from './partition-copy.ts';
import type { Saved } from './records.ts';
import type { Records } from './snapshot.ts';
import type { NewItem } from './table.ts';

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

const CONTENT = 'CONTENT#';

/** A change of a product's content, which lies beside the product's releases. */
const contentChange = (productId: number): string => `${CONTENT}${productId}`;

const changeKey = (record: CatalogRecord): string =>
  record.kind === 'content' ? contentChange(record.value.product_id) : itemOfRecord(record).sk;

const productOfChange = (sk: string): number[] => (sk.startsWith(CONTENT) ? [Number(sk.slice(CONTENT.length))] : []);

export type Parts = Audited & {
  readonly pauses: Pauses;
  readonly tellFault?: TellFault;
};

/**
 * Keeps the catalog as a whole, and the content of each product's page by itself, no older than the age while the store
 * answers (`Kept`). Each save changes the edition of the catalog in its own transaction.
 */
export class StoredCatalogs implements Catalogs, CatalogEditor {
  readonly #parts: Parts;
  readonly #copy: PartitionCopy;
  readonly #contents: KeptBeside<{ readonly content: ProductContent | undefined }>;
  /** The catalog of the records that were last asked for. */
  #built: { readonly records: Records; readonly catalog: Catalog } | undefined;

  /** `beside` is called with each look at the edition. */
  constructor(parts: Parts, age: CacheAge, beside?: () => void) {
    const { table, tellFault } = parts;
    this.#parts = parts;
    this.#contents = new KeptBeside(500, async (productId) => ({
      content: (await table.get(catalogKeys.content(productId)))?.data,
    }));
    this.#copy = new PartitionCopy(table, CATALOG, {
      age,
      isInside: (sk) => !sk.startsWith(CONTENT),
      changed: (sortKeys) => this.#contents.drop(sortKeys?.flatMap(productOfChange)),
      tell: tellFault,
      beside,
    });
  }

  async current(): Promise<Catalog> {
    const { records } = await this.#copy.current();
    if (this.#built?.records !== records) this.#built = { records, catalog: builtOf(records) };
    return this.#built.catalog;
  }

  async content(productId: number): Promise<ProductContent | undefined> {
    if (!this.#contents.kept(productId)) {
      const [read] = await Promise.all([this.#contents.read(productId), this.#copy.current()]);
      return read.content;
    }
    // The look at the edition may drop what was kept.
    await this.#copy.current();
    return (this.#contents.kept(productId) ?? (await this.#contents.read(productId))).content;
  }

  async save(permit: Permit, record: CatalogRecord): Promise<Saved> {
    const { table, auditTrail, pauses } = this.#parts;
    const item = itemOfRecord(record);
    const saved = await untilWritten(pauses, async () => {
      const [before, edition] = await table.getMany([item, editionKeys.edition(CATALOG)]);
      if (before && isSameJson(before.data, item.data)) return 'unchanged';
      const written = await table.transact([
        { put: item, condition: ifUnchanged(before?.version ?? null) },
        auditTrail.entry(permit, savedEvent(subjectOf(record), before?.data, record.value)),
        changeOf(CATALOG, edition, [changeKey(record)]),
      ]);
      if (!written) return CONFLICT;
      return before ? 'updated' : 'created';
    });
    if (saved === 'unchanged') this.#copy.forget();
    else await this.#copy.changed();
    return saved;
  }

  /** The copy, for a repository that writes records of the same partition. */
  get copy(): PartitionCopy {
    return this.#copy;
  }
}

/** The catalog of the records of its partition. */
const builtOf = (records: Records): Catalog => {
  const parts: Record<string, object[]> = {};
  for (const [sk, data] of records) (parts[sk.slice(0, sk.indexOf('#'))] ??= []).push(data);
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
};
