import { VERSION_SCHEMES } from '../../domain/catalog/product.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { supplyReleases } from '../../domain/delivery/supply.ts';
import type { Releases, Supplies, Versions } from '../../ports/outbound/delivery.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { deliveryKeys, type ProductSupply } from './keys/delivery.ts';
import type { PartitionCopy, Records } from './partition-copy.ts';
import { itemOf } from './records.ts';
import { MAX_DATA_BYTES } from './table-checks.ts';
import type { TypedItem } from './typed-table.ts';

export type SuppliesParts = { readonly releases: Releases; readonly supplyCopy: PartitionCopy };

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

/** The supplies in the records, and the products whose supply exceeds an item. */
const builtOf = (records: Records) => {
  const supplies = new Map<number, readonly Release[]>();
  const unknown = new Set<number>();
  for (const data of records.values()) {
    const { product_id, releases } = data as ProductSupply;
    if (releases) supplies.set(product_id, releases);
    else unknown.add(product_id);
  }
  return { records, supplies, unknown };
};

/**
 * Caches the supplies of all products in the process (`PartitionCopy`). Each save of a release writes its product's
 * supply, so a product without a supply has no release.
 */
export class StoredSupplies implements Supplies {
  readonly #parts: SuppliesParts;
  #built: ReturnType<typeof builtOf> | undefined;

  constructor(parts: SuppliesParts) {
    this.#parts = parts;
  }

  async of(product_ids: readonly number[]): Promise<ReadonlyMap<number, readonly Release[]>> {
    const { records } = await this.#parts.supplyCopy.current();
    if (this.#built?.records !== records) this.#built = builtOf(records);
    const { supplies, unknown } = this.#built;
    const missing = product_ids.filter((id) => unknown.has(id));
    if (missing.length === 0) return supplies;
    return new Map([...supplies, ...(await this.#parts.releases.of(missing))]);
  }
}
