import type { Permit } from '../../domain/access/permit.ts';
import { NO_PROGRESS, type SetupProgress } from '../../domain/catalog/setup-progress.ts';
import type { SetupProgresses } from '../../ports/outbound/setup-progresses.ts';
import { itemOf } from './item-of.ts';
import { catalogKeys } from './keys/catalog.ts';
import { allRecords } from './records.ts';
import type { Table } from './table.ts';

/** Keeps the setup progress of each product and account. */
export class StoredSetupProgresses implements SetupProgresses {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(accountId: number, productId: number): Promise<SetupProgress> {
    return (await this.#table.get(catalogKeys.progress(accountId, productId)))?.data.progress ?? NO_PROGRESS;
  }

  async ofAccount(accountId: number): Promise<ReadonlyMap<number, SetupProgress>> {
    const found = await allRecords(this.#table, catalogKeys.progresses(accountId));
    return new Map(found.map(({ product_id, progress }) => [product_id, progress]));
  }

  async save(_permit: Permit, accountId: number, productId: number, progress: SetupProgress): Promise<void> {
    await this.#table.put(itemOf(catalogKeys.progress(accountId, productId), { product_id: productId, progress }));
  }
}
