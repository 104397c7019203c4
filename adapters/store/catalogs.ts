import { CONFLICT, untilWritten } from '../../application/shared/contended.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type AuditEvent, type Subject, savedEvent } from '../../domain/audit/event.ts';
import { type Catalog, type CatalogParts, catalogOf } from '../../domain/catalog/catalog.ts';
import type { ProductContent } from '../../domain/catalog/product.ts';
import { NO_PROGRESS, type SetupProgress } from '../../domain/catalog/setup-progress.ts';
import { DEFAULT_POLICY, type PolicyInForce } from '../../domain/policy/client-policy.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type {
  CatalogEditor,
  CatalogRecord,
  Catalogs,
  Policies,
  ReadPolicy,
  SetupProgresses,
} from '../../ports/outbound/catalog.ts';
import type { Pauses } from '../../ports/outbound/system.ts';
import type { AuditedParts, AuditTrail } from './audit-trail.ts';
import { type CacheAge, CachedRecords, type TellFault } from './cached-copy.ts';
import { catalogKeys, policyKey } from './keys/catalog.ts';
import { type Edition, editionKeys } from './keys/editions.ts';
import { CATALOG } from './keys/shared.ts';
import { changedAfter, changeOf, PartitionCopy, type Records } from './partition-copy.ts';
import { allRecords, ifUnchanged, itemOf, type SaveEffect } from './records.ts';
import { OnTable } from './repository.ts';
import type { TypedItem, TypedTable } from './typed-table.ts';

const itemOfRecord = (record: CatalogRecord): TypedItem => {
  switch (record.kind) {
    case 'content':
      return itemOf(catalogKeys.content(record.value.product_id), record.value);
    case 'disclosure':
    case 'storefront':
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
    case 'storefront':
      return { kind: record.kind, id: 0 };
    default:
      return { kind: record.kind, id: record.value.id };
  }
};

const CONTENT = 'CONTENT#';

/** A change of a product's content, which is stored with its releases. */
const contentChange = (product_id: number): string => `${CONTENT}${product_id}`;

const changeKey = (record: CatalogRecord): string =>
  record.kind === 'content' ? contentChange(record.value.product_id) : itemOfRecord(record).sk;

const productOfChange = (sk: string): number[] => (sk.startsWith(CONTENT) ? [Number(sk.slice(CONTENT.length))] : []);

export type Parts = AuditedParts & {
  readonly pauses: Pauses;
  readonly tellFault?: TellFault;
};

/**
 * Caches the catalog as a whole, and the content of each product's page separately, up to the maximum age
 * (`CachedCopy`). Each save changes the edition of the catalog in its own transaction.
 */
export class StoredCatalogs implements Catalogs, CatalogEditor {
  readonly #parts: Parts;
  readonly #copy: PartitionCopy;
  readonly #contents: CachedRecords<{ readonly content: ProductContent | undefined }>;
  /** The catalog built from the current records. */
  #built: { readonly records: Records; readonly catalog: Catalog } | undefined;
  /** The last change that each catalog contains. */
  readonly #marks = new WeakMap<Catalog, string | null>();

  /** `onEditionRead` is called with each read of the edition. */
  constructor(parts: Parts, age: CacheAge, onEditionRead?: () => void) {
    const { table, tellFault } = parts;
    this.#parts = parts;
    this.#contents = new CachedRecords(500, async (product_id) => ({
      content: (await table.get(catalogKeys.content(product_id)))?.data,
    }));
    this.#copy = new PartitionCopy(table, CATALOG, {
      age,
      isInside: (sk) => !sk.startsWith(CONTENT),
      changed: (sortKeys) => this.#contents.drop(sortKeys?.flatMap(productOfChange)),
      tell: tellFault,
      onEditionRead,
    });
  }

  async current(): Promise<Catalog> {
    const { records, mark } = await this.#copy.current();
    if (this.#built?.records !== records) this.#built = { records, catalog: builtOf(records) };
    this.#marks.set(this.#built.catalog, mark);
    return this.#built.catalog;
  }

  async content(product_id: number): Promise<ProductContent | undefined> {
    if (!this.#contents.cached(product_id)) {
      const [read] = await Promise.all([this.#contents.read(product_id), this.#copy.current()]);
      return read.content;
    }
    // Reading the edition may drop the cached content.
    await this.#copy.current();
    return (this.#contents.cached(product_id) ?? (await this.#contents.read(product_id))).content;
  }

  async save(permit: Permit, record: CatalogRecord): Promise<SaveEffect> {
    return (await this.#save(permit, record, () => true)) as SaveEffect;
  }

  async revise(
    permit: Permit,
    record: CatalogRecord,
    before: CatalogRecord['value'] | null,
    since?: Catalog,
  ): Promise<boolean> {
    const saved = await this.#save(
      permit,
      record,
      (stored, edition) => isSameJson(stored ?? null, before) && (!since || this.#isCurrent(since, edition)),
    );
    return saved !== 'changed';
  }

  /** True if no record of the catalog has changed since it was read; false if that is unknown. */
  #isCurrent(catalog: Catalog, edition: Edition | undefined): boolean {
    const mark = this.#marks.get(catalog) ?? null;
    if (!edition) return mark === null;
    return changedAfter(edition, mark)?.every((sk) => sk.startsWith(CONTENT)) ?? false;
  }

  async #save(
    permit: Permit,
    record: CatalogRecord,
    isExpected: (stored: unknown, edition: Edition | undefined) => boolean,
  ): Promise<SaveEffect | 'changed'> {
    const { table, auditTrail, pauses } = this.#parts;
    const item = itemOfRecord(record);
    const saved = await untilWritten(pauses, async () => {
      const [before, edition] = await table.getMany([item, editionKeys.edition(CATALOG)]);
      if (!isExpected(before?.data, edition?.data)) return 'changed';
      if (before && isSameJson(before.data, item.data)) return 'unchanged';
      const written = await table.transact([
        { put: item, condition: ifUnchanged(before?.version ?? null) },
        auditTrail.entry(permit, savedEvent(subjectOf(record), before?.data, record.value)),
        changeOf(CATALOG, edition, [changeKey(record)]),
      ]);
      if (!written) return CONFLICT;
      return before ? 'updated' : 'created';
    });
    if (saved === 'unchanged' || saved === 'changed') this.#copy.forget();
    else await this.#copy.changed();
    return saved;
  }

  /** The copy, for a repository that writes records to the same partition. */
  get copy(): PartitionCopy {
    return this.#copy;
  }
}

const builtOf = (records: Records): Catalog => {
  const parts: Record<string, object[]> = {};
  for (const [sk, data] of records) (parts[sk.slice(0, sk.indexOf('#'))] ??= []).push(data);
  const {
    PRODUCT = [],
    CATEGORY = [],
    TAG = [],
    BUNDLE = [],
    LINEAGE = [],
    POLICY = [],
    DISCLOSURE = [],
    STOREFRONT = [],
  } = parts;
  return catalogOf({
    products: PRODUCT,
    categories: CATEGORY,
    tags: TAG,
    bundles: BUNDLE,
    lineages: LINEAGE,
    policy: POLICY[0],
    disclosure: DISCLOSURE[0],
    storefront: STOREFRONT[0],
  } as CatalogParts);
};

/** The client policy. Requests read it together with the catalog, and a change of it changes the catalog's edition. */
export class StoredPolicies implements Policies {
  readonly #table: TypedTable;
  readonly #trail: AuditTrail;
  readonly #copy: PartitionCopy;

  constructor({ table, auditTrail }: AuditedParts, copy: PartitionCopy) {
    this.#table = table;
    this.#trail = auditTrail;
    this.#copy = copy;
  }

  async read(): Promise<ReadPolicy> {
    const item = await this.#table.get(policyKey);
    return { policy: item?.data ?? DEFAULT_POLICY, token: item?.version ?? null };
  }

  async save(
    permit: Permit,
    policy: PolicyInForce,
    { token, policy: before }: ReadPolicy,
    because: readonly AuditEvent[] = [],
  ): Promise<boolean> {
    const event = savedEvent({ kind: 'policy', id: policy.version }, token === null ? undefined : before, policy);
    const edition = await this.#table.get(editionKeys.edition(CATALOG));
    const saved = await this.#table.transact([
      { put: itemOf(policyKey, policy), condition: ifUnchanged(token) },
      ...[event, ...because].map((one) => this.#trail.entry(permit, one)),
      changeOf(CATALOG, edition, [policyKey.sk]),
    ]);
    if (saved) await this.#copy.changed();
    else this.#copy.forget();
    return saved;
  }
}

export class StoredSetupProgresses extends OnTable implements SetupProgresses {
  async get(account_id: number, product_id: number): Promise<SetupProgress> {
    return (await this.table.get(catalogKeys.progress(account_id, product_id)))?.data.progress ?? NO_PROGRESS;
  }

  async ofAccount(account_id: number): Promise<ReadonlyMap<number, SetupProgress>> {
    const found = await allRecords(this.table, catalogKeys.progresses(account_id));
    return new Map(found.map(({ product_id, progress }) => [product_id, progress]));
  }

  async save(_permit: Permit, account_id: number, product_id: number, progress: SetupProgress): Promise<void> {
    await this.table.put(itemOf(catalogKeys.progress(account_id, product_id), { product_id, progress }));
  }
}
