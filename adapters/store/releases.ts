import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Release } from '../../domain/delivery/release.ts';
import type { ReadRelease, ReleaseEditor, Releases } from '../../ports/outbound/releases.ts';
import { type CacheAge, cacheOptions } from './cache-age.ts';
import { keys } from './keys.ts';
import { allRecords } from './records.ts';
import type { Table } from './table.ts';

/** The releases of each product, kept for a moment; one item per version, so that a version can't be published twice. */
export class StoredReleases implements Releases, ReleaseEditor {
  readonly #table: Table;
  readonly #cache: LRUCache<number, Release[]>;
  /** An id stays with the product that it was given to first, so that what was found once holds for good. */
  readonly #products = new LRUCache<number, number>({ max: 5000 });

  constructor(table: Table, age: CacheAge) {
    this.#table = table;
    this.#cache = new LRUCache({
      max: 500,
      ...cacheOptions(age),
      fetchMethod: (productId) => allRecords<Release>(this.#table, keys.releases(productId)),
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
    const fetched = await Promise.all(missing.map((id) => this.#cache.forceFetch(id)));
    missing.forEach((id, n) => {
      found.set(id, fetched[n] ?? []);
    });
    return found;
  }

  async productOf(releaseId: number): Promise<number | undefined> {
    const known = this.#products.get(releaseId);
    if (known !== undefined) return known;
    const found: { product_id: number } | undefined = (await this.#table.get(keys.releaseOwner(releaseId)))?.data;
    if (found) this.#products.set(releaseId, found.product_id);
    return found?.product_id;
  }

  async read(productId: number, version: string): Promise<ReadRelease> {
    const [item, ledger] = await Promise.all([
      this.#table.get(keys.release(productId, version)),
      this.#table.get(keys.releaseLedger(productId)),
    ]);
    return { release: item?.data, version: item?.version ?? null, ledger: ledger?.version ?? null };
  }

  released(productId: number): Promise<readonly Release[]> {
    return allRecords(this.#table, keys.releases(productId));
  }

  async save(release: Release, read: ReadRelease): Promise<boolean> {
    if (isDeepStrictEqual(read.release, JSON.parse(JSON.stringify(release)))) return true;
    const { product_id, id, version } = release;
    const owner = { ...keys.releaseOwner(id), data: { product_id, version } };
    const saved = await this.#table.transact([
      { put: { ...keys.release(product_id, version), data: release }, condition: asRead(read.version) },
      ...(read.version === null ? [{ put: owner, condition: asRead(null) }] : []),
      { put: { ...keys.releaseLedger(product_id), data: { release_id: id } }, condition: asRead(read.ledger) },
    ]);
    this.#cache.delete(product_id);
    return saved;
  }
}

/** Only while the item is the one that was read, or still isn't there. */
const asRead = (version: string | null) => (version === null ? { absent: true as const } : { version });
