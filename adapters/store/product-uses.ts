import type { Permit } from '../../domain/access/permit.ts';
import { type Use, withUse } from '../../domain/devices/product-use.ts';
import type { KnownUses, ProductUses } from '../../ports/outbound/product-uses.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import { deviceKeys } from './keys/devices.ts';
import { allItems } from './records.ts';
import type { Table } from './table.ts';

/** Keeps one item for each account and product, so that they grow with the catalog and not with the use. */
export class StoredProductUses implements ProductUses {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async of(accountId: number): Promise<KnownUses> {
    const items = await Array.fromAsync(allItems(this.#table, deviceKeys.uses(accountId)));
    return new Map(items.map(({ data, version }) => [data.product_id, { use: data, version }]));
  }

  async note(_permit: Permit, accountId: number, known: KnownUses, uses: readonly Use[]): Promise<void> {
    await Promise.all(uses.map((use) => this.#note(accountId, known, use)));
  }

  async #note(accountId: number, known: KnownUses, use: Use): Promise<void> {
    const before = known.get(use.product_id);
    const noted = withUse(before?.use, use);
    const key = deviceKeys.use(accountId, use.product_id);
    if (noted) await this.#table.put(itemOf(key, noted), ifUnchanged(before?.version ?? null));
  }
}
