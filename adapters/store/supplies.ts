import { CONFLICT, untilWritten } from '../../application/shared/contended.ts';
import { VERSION_SCHEMES } from '../../domain/catalog/product.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { supplyReleases } from '../../domain/delivery/supply.ts';
import type { Releases, Supplies, Versions } from '../../ports/outbound/releases.ts';
import type { Clock, Pauses } from '../../ports/outbound/system.ts';
import type { StoredCatalogs } from './catalogs.ts';
import type { TellFault } from './kept.ts';
import { deliveryKeys, type ProductSupply } from './keys/delivery.ts';
import { editionKeys } from './keys/editions.ts';
import { padded, SUPPLY } from './keys/shared.ts';
import { changeOf, type PartitionCopy, type Records } from './partition-copy.ts';
import { allRecords, chunksOf, ifUnchanged, itemOf } from './records.ts';
import { MAX_DATA_BYTES } from './table-checks.ts';
import type { TypedItem, TypedTable } from './typed-table.ts';

export type SuppliesParts = { readonly releases: Releases; readonly supplyCopy: PartitionCopy };

const WHOLE = deliveryKeys.wholeSupply().sk;

/** The item of a product's supply, of all its releases. */
export const supplyItem = (
  product_id: number,
  all: readonly Release[],
  { clock, versions }: { readonly clock: Clock; readonly versions: Versions },
): TypedItem => {
  const orders = VERSION_SCHEMES.map((scheme) => versions.order(scheme));
  const releases = supplyReleases(all, clock.now(), orders);
  const fits = Buffer.byteLength(JSON.stringify(releases)) < MAX_DATA_BYTES - 100;
  return itemOf(deliveryKeys.supply(product_id), { product_id, releases: fits ? releases : null });
};

/** The supplies of the records, and whether a product without one has no release. */
const builtOf = (records: Records) => {
  const supplies = new Map<number, readonly Release[]>();
  const unknown = new Set<number>();
  for (const [sk, data] of records) {
    if (sk === WHOLE) continue;
    const { product_id, releases } = data as ProductSupply;
    if (releases) supplies.set(product_id, releases);
    else unknown.add(product_id);
  }
  return { records, supplies, unknown, isWhole: records.has(WHOLE) };
};

/**
 * Keeps the supplies of all products in process, as `PartitionCopy` keeps a partition. In a store of an older version
 * it reads the releases of each product that has no supply yet.
 */
export class StoredSupplies implements Supplies {
  readonly #parts: SuppliesParts;
  #built: ReturnType<typeof builtOf> | undefined;

  constructor(parts: SuppliesParts) {
    this.#parts = parts;
  }

  async of(productIds: readonly number[]): Promise<ReadonlyMap<number, readonly Release[]>> {
    const { records } = await this.#parts.supplyCopy.current();
    if (this.#built?.records !== records) this.#built = builtOf(records);
    const { supplies, unknown, isWhole } = this.#built;
    const missing = productIds.filter((id) => (isWhole ? unknown.has(id) : !supplies.has(id)));
    if (missing.length === 0) return supplies;
    return new Map([...supplies, ...(await this.#parts.releases.of(missing))]);
  }
}

export type UpkeepParts = {
  readonly table: TypedTable;
  readonly storedCatalogs: StoredCatalogs;
  readonly supplyCopy: PartitionCopy;
  readonly pauses: Pauses;
  readonly clock: Clock;
  readonly versions: Versions;
  readonly tellFault?: TellFault;
};

/** Products of one transaction. Their supplies take at most 400 KB each, and a transaction 4 MB. */
const AT_ONCE = 8;

/** Makes the supplies that a store of an older version lacks, and keeps their snapshot. */
export class SupplyUpkeep {
  readonly #parts: UpkeepParts;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  /** Call it after the releases of a product were saved. A failure is told and no more: the next save does the work. */
  async changed(): Promise<void> {
    const { supplyCopy, tellFault } = this.#parts;
    supplyCopy.forget();
    try {
      await this.mend();
    } catch (error) {
      tellFault?.(error);
    }
    await supplyCopy.changed();
  }

  /** Makes every supply that the store lacks. Returns their number. */
  async mend(): Promise<number> {
    const { table, storedCatalogs, supplyCopy, pauses } = this.#parts;
    const whole = deliveryKeys.wholeSupply();
    const { records } = await supplyCopy.current();
    if (records.has(whole.sk)) return 0;
    const { products } = await storedCatalogs.current();
    const missing = [...products.keys()].filter((id) => !records.has(padded(id)));
    let made = 0;
    for (const some of chunksOf(missing, AT_ONCE)) made += await untilWritten(pauses, () => this.#make(some));
    await untilWritten(pauses, async () => {
      const edition = await table.get(editionKeys.edition(SUPPLY));
      const written = await table.transact([
        { put: itemOf(whole, { whole: true }) },
        changeOf(SUPPLY, edition, [whole.sk]),
      ]);
      return written || CONFLICT;
    });
    supplyCopy.forget();
    return made;
  }

  /** Makes the supplies of these products, of all their releases at the moment of the write. */
  async #make(productIds: readonly number[]): Promise<number | typeof CONFLICT> {
    const { table } = this.#parts;
    const ledgers = await table.getMany(productIds.map(deliveryKeys.ledger));
    const edition = await table.get(editionKeys.edition(SUPPLY));
    const released = await Promise.all(productIds.map((id) => allRecords(table, deliveryKeys.releases(id))));
    const made = productIds.flatMap((id, n) => {
      const releases = released[n] ?? [];
      const isAsRead = { check: deliveryKeys.ledger(id), condition: ifUnchanged(ledgers[n]?.version ?? null) };
      return releases.length === 0 ? [] : [{ supply: supplyItem(id, releases, this.#parts), isAsRead }];
    });
    if (made.length === 0) return 0;
    const written = await table.transact([
      ...made.flatMap(({ supply, isAsRead }) => [{ put: supply }, isAsRead]),
      changeOf(
        SUPPLY,
        edition,
        made.map(({ supply }) => supply.sk),
      ),
    ]);
    return written ? made.length : CONFLICT;
  }
}
