import { VERSION_SCHEMES } from '../../domain/catalog/version-scheme.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { supplyReleases } from '../../domain/delivery/supply-releases.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Releases, Supplies, Versions } from '../../ports/outbound/releases.ts';
import { itemOf } from './item-of.ts';
import { deliveryKeys, type ProductSupply } from './keys/delivery.ts';
import type { PartitionCopy } from './partition-copy.ts';
import type { Records } from './snapshot.ts';
import type { NewItem } from './table.ts';
import { MAX_DATA_BYTES } from './table-checks.ts';

export type Parts = { readonly releases: Releases; readonly supplyCopy: PartitionCopy };

const WHOLE = deliveryKeys.wholeSupply().sk;

/** The item of a product's supply, of all its releases. */
export const supplyItem = (
  product_id: number,
  all: readonly Release[],
  { clock, versions }: { readonly clock: Clock; readonly versions: Versions },
): NewItem => {
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
  readonly #parts: Parts;
  #built: ReturnType<typeof builtOf> | undefined;

  constructor(parts: Parts) {
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
