import { LRUCache } from 'lru-cache';
import type { Permit } from '../../domain/access/permit.ts';
import { releaseEvent } from '../../domain/audit/release-event.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { ReadRelease, ReleaseEditor, Releases } from '../../ports/outbound/releases.ts';
import type { Audited, AuditTrail } from './audit-trail.ts';
import { type CacheAge, cacheOptions } from './cache-age.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import { deliveryKeys } from './keys/delivery.ts';
import { allRecords } from './records.ts';
import type { Table } from './table.ts';

/** Caches the releases of each product. Each version has one item, so that nobody publishes a version twice. */
export class StoredReleases implements Releases, ReleaseEditor {
  readonly #table: Table;
  readonly #trail: AuditTrail;
  readonly #cache: LRUCache<number, Release[]>;
  /** The product of each release id. An id never moves to another product, so these entries have no age. */
  readonly #products = new LRUCache<number, number>({ max: 5000 });

  constructor({ table, auditTrail }: Audited, age: CacheAge) {
    this.#table = table;
    this.#trail = auditTrail;
    this.#cache = new LRUCache({
      max: 500,
      ...cacheOptions(age),
      fetchMethod: (productId) => allRecords(this.#table, deliveryKeys.releases(productId)),
    });
  }

  async of(productIds: readonly number[]): Promise<ReadonlyMap<number, readonly Release[]>> {
    const found = new Map<number, readonly Release[]>();
    const missing: number[] = [];
    for (const id of productIds) {
      const kept = this.#cache.get(id);
      if (kept) found.set(id, kept);
      else missing.push(id);
    }
    if (missing.length === 0) return found;
    const fetched = await Promise.all(missing.map((id) => this.#cache.forceFetch(id)));
    missing.forEach((id, n) => {
      found.set(id, fetched[n] ?? []);
    });
    return found;
  }

  async productOf(releaseId: number): Promise<number | undefined> {
    const known = this.#products.get(releaseId);
    if (known !== undefined) return known;
    const found = (await this.#table.get(deliveryKeys.owner(releaseId)))?.data;
    if (found) this.#products.set(releaseId, found.product_id);
    return found?.product_id;
  }

  async read(productId: number, version: string): Promise<ReadRelease> {
    const [item, ledger] = await Promise.all([
      this.#table.get(deliveryKeys.release(productId, version)),
      this.#table.get(deliveryKeys.ledger(productId)),
    ]);
    return { release: item?.data, version: item?.version ?? null, ledger: ledger?.version ?? null };
  }

  released(productId: number): Promise<readonly Release[]> {
    return allRecords(this.#table, deliveryKeys.releases(productId));
  }

  async save(permit: Permit, release: Release, read: ReadRelease): Promise<boolean> {
    if (isSameJson(read.release, release)) return true;
    const { product_id, id, version } = release;
    const owner = itemOf(deliveryKeys.owner(id), { product_id, version });
    const saved = await this.#table.transact([
      { put: itemOf(deliveryKeys.release(product_id, version), release), condition: ifUnchanged(read.version) },
      ...(read.version === null ? [{ put: owner, condition: ifUnchanged(null) }] : []),
      { put: itemOf(deliveryKeys.ledger(product_id), { release_id: id }), condition: ifUnchanged(read.ledger) },
      this.#trail.entry(permit, releaseEvent(read.release, release)),
    ]);
    this.#cache.delete(product_id);
    return saved;
  }
}
