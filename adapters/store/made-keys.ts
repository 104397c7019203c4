import type { KeyUse } from '../../domain/signing/key-use.ts';
import { itemOf } from './item-of.ts';
import { madeKey } from './keys/operations.ts';
import type { Table } from './table.ts';

/** Remembers for which uses the store ever had a key, so that lost files of keys are not taken for those of a new shop. */
export class StoredMadeKeys {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async has(use: KeyUse): Promise<boolean> {
    return (await this.#table.get(madeKey(use))) !== undefined;
  }

  async add(use: KeyUse): Promise<void> {
    if (!(await this.has(use))) await this.#table.put(itemOf(madeKey(use), { use }), { absent: true });
  }
}
