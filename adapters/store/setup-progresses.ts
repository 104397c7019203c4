import { NO_PROGRESS, type SetupProgress } from '../../domain/catalog/setup-progress.ts';
import type { SetupProgresses } from '../../ports/outbound/setup-progresses.ts';
import { keys } from './keys.ts';
import { allItems } from './records.ts';
import type { Table } from './table.ts';

export class StoredSetupProgresses implements SetupProgresses {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(accountId: number, productId: number): Promise<SetupProgress> {
    return (await this.#table.get(keys.progress(accountId, productId)))?.data.progress ?? NO_PROGRESS;
  }

  async ofAccount(accountId: number): Promise<ReadonlyMap<number, SetupProgress>> {
    const found = new Map<number, SetupProgress>();
    for await (const item of allItems(this.#table, keys.progresses(accountId))) {
      found.set(item.data.product_id, item.data.progress);
    }
    return found;
  }

  async save(accountId: number, productId: number, progress: SetupProgress): Promise<void> {
    await this.#table.put({ ...keys.progress(accountId, productId), data: { product_id: productId, progress } });
  }
}
