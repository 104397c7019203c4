import { LRUCache } from 'lru-cache';
import { CONFLICT, untilWritten } from '../../application/shared/contended.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { releaseEvent } from '../../domain/audit/event.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { releaseEvents } from '../../domain/webhooks/events.ts';
import type { ReadRelease, ReleaseEditor, Releases, Versions } from '../../ports/outbound/delivery.ts';
import type { Clock, Pauses } from '../../ports/outbound/system.ts';
import type { AuditedParts } from './audit-trail.ts';
import { type CacheAge, CachedCopy, CachedRecords, type TellFault } from './cached-copy.ts';
import { deliveryKeys } from './keys/delivery.ts';
import { editionKeys } from './keys/editions.ts';
import { SUPPLY } from './keys/shared.ts';
import { changedAfter, changeOf, markOf, type PartitionCopy } from './partition-copy.ts';
import { allRecords, ifUnchanged, itemOf } from './records.ts';
import { supplyItem } from './supplies.ts';
import type { TypedTable } from './typed-table.ts';

export type Parts = AuditedParts & {
  readonly pauses: Pauses;
  readonly clock: Clock;
  readonly versions: Versions;
  readonly supplyCopy: PartitionCopy;
  readonly tellFault?: TellFault;
};

const NONE: ReadonlyMap<number, readonly Release[]> = new Map();

/**
 * Caches the releases of each product up to the maximum age (`CachedCopy`). Each version has one item, so that a
 * version can be published only once. Each save also writes the product's supply, and changes the edition of the
 * supply, which tells other processes whose releases to read again.
 */
export class StoredReleases implements Releases, ReleaseEditor {
  readonly #parts: Parts;
  readonly #table: TypedTable;
  readonly #releases: CachedRecords<Release[]>;
  /** The mark of the last change of any product's releases that this process knows. */
  readonly #mark: CachedCopy<string | null>;
  /** The product of each release id. An id never moves to another product, so these entries never expire. */
  readonly #products = new LRUCache<number, number>({ max: 5000 });

  constructor(parts: Parts, age: CacheAge) {
    const { table, tellFault } = parts;
    this.#parts = parts;
    this.#table = table;
    this.#releases = new CachedRecords(500, (product_id) => this.released(product_id));
    this.#mark = new CachedCopy(age, (mark) => this.#look(mark), tellFault);
  }

  async of(product_ids: readonly number[]): Promise<ReadonlyMap<number, readonly Release[]>> {
    const missing = product_ids.filter((id) => !this.#releases.cached(id));
    const [fetched] = await Promise.all([missing.length === 0 ? NONE : this.#read(missing), this.#mark.current()]);
    const found = new Map<number, readonly Release[]>();
    const dropped: number[] = [];
    for (const id of product_ids) {
      const releases = fetched.get(id) ?? this.#releases.cached(id);
      if (releases) found.set(id, releases);
      else dropped.push(id);
    }
    if (dropped.length > 0) for (const [id, releases] of await this.#read(dropped)) found.set(id, releases);
    return found;
  }

  /** Checks for changes now if this process has cached releases, so that the next request need not. */
  lookAgain(): void {
    this.#mark.lookAgain();
  }

  /** Makes the next call look for changes. */
  forget(): void {
    this.#mark.forget();
  }

  async productOf(release_id: number): Promise<number | undefined> {
    const known = this.#products.get(release_id);
    if (known !== undefined) return known;
    const found = (await this.#table.get(deliveryKeys.owner(release_id)))?.data;
    if (found) this.#products.set(release_id, found.product_id);
    return found?.product_id;
  }

  async read(product_id: number, version: string): Promise<ReadRelease> {
    const [item, ledger] = await Promise.all([
      this.#table.get(deliveryKeys.release(product_id, version)),
      this.#table.get(deliveryKeys.ledger(product_id)),
    ]);
    return { release: item?.data, version: item?.version ?? null, ledger: ledger?.version ?? null };
  }

  released(product_id: number): Promise<Release[]> {
    return allRecords(this.#table, deliveryKeys.releases(product_id));
  }

  async save(permit: Permit, release: Release, read: ReadRelease): Promise<boolean> {
    if (isSameJson(read.release, release)) return true;
    const { pauses, supplyCopy } = this.#parts;
    // The edition of the supply changes with the releases of every product, so a change of another product may cause a
    // conflict.
    const saved = await untilWritten(pauses, () => this.#write(permit, release, read));
    this.forget();
    this.#releases.drop([release.product_id]);
    if (saved) await supplyCopy.changed();
    return saved;
  }

  async #write(permit: Permit, release: Release, read: ReadRelease): Promise<boolean | typeof CONFLICT> {
    const { auditTrail, webhookWrites } = this.#parts;
    const { product_id, id, version } = release;
    const [ledger, edition, owned] = await this.#table.getMany([
      deliveryKeys.ledger(product_id),
      editionKeys.edition(SUPPLY),
      deliveryKeys.owner(id),
    ]);
    // The id of a new release may already belong to another one, which no retry would change.
    if ((ledger?.version ?? null) !== read.ledger || (read.version === null && owned)) return false;
    const others = (await this.released(product_id)).filter((one) => one.version !== version);
    const owner = itemOf(deliveryKeys.owner(id), { product_id, version });
    const supply = supplyItem(product_id, [...others, release], this.#parts);
    const written = await this.#table.transact([
      { put: itemOf(deliveryKeys.release(product_id, version), release), condition: ifUnchanged(read.version) },
      ...(read.version === null ? [{ put: owner, condition: ifUnchanged(null) }] : []),
      { put: itemOf(deliveryKeys.ledger(product_id), { release_id: id }), condition: ifUnchanged(read.ledger) },
      { put: supply },
      auditTrail.entry(permit, releaseEvent(read.release, release)),
      ...(await webhookWrites(permit, releaseEvents(read.release, release))),
      changeOf(SUPPLY, edition, [supply.sk]),
    ]);
    return written || CONFLICT;
  }

  async #read(product_ids: readonly number[]): Promise<ReadonlyMap<number, readonly Release[]>> {
    const read = await Promise.all(product_ids.map((id) => this.#releases.read(id)));
    return new Map(product_ids.map((id, n) => [id, read[n] ?? []]));
  }

  /** Drops the releases that have changed since the mark, or all if the changes are unknown. */
  async #look(mark: string | null = null): Promise<string | null> {
    const edition = await this.#table.get(editionKeys.edition(SUPPLY));
    const changed = edition && changedAfter(edition.data, mark);
    if (changed?.length !== 0) this.#releases.drop(changed?.map(Number));
    return edition ? markOf(edition.data) : null;
  }
}
