import { CONFLICT, untilWritten } from '../../application/shared/contended.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { Versions } from '../../ports/outbound/releases.ts';
import type { StoredCatalogs } from './catalogs.ts';
import { chunksOf } from './chunks.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import type { TellFault } from './kept.ts';
import { deliveryKeys } from './keys/delivery.ts';
import { editionKeys } from './keys/editions.ts';
import { padded, SUPPLY } from './keys/shared.ts';
import { changeOf, type PartitionCopy } from './partition-copy.ts';
import { allRecords } from './records.ts';
import { supplyItem } from './supplies.ts';
import type { Table } from './table.ts';

export type Parts = {
  readonly table: Table;
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
  readonly #parts: Parts;

  constructor(parts: Parts) {
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
