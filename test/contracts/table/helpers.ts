import { randomUUID } from 'node:crypto';
import type { Item, Key, Query, Table, Write } from '../../../adapters/store/table.ts';

/** The table under test, which is open while tests run. */
export type Use = () => Table;

/** A partition that no other test uses. */
export const newPk = (): string => `contract-${randomUUID()}`;

export const newKey = (): Key => ({ pk: newPk(), sk: 'item' });

/** The item, which has to be there. */
export const stored = async (table: Table, key: Key): Promise<Item> => {
  const item = await table.get(key);
  if (!item) throw new Error('There is no such item.');
  return item;
};

/** Puts an item for each sort key, as many at once as a transaction takes. */
export const fill = async (table: Table, pk: string, sortKeys: readonly string[]): Promise<void> => {
  for (let i = 0; i < sortKeys.length; i += 100) {
    const writes: Write[] = sortKeys.slice(i, i + 100).map((sk) => ({ put: { pk, sk, data: { sk } } }));
    if (!(await table.transact(writes))) throw new Error('The items were not written.');
  }
};

/** Page after page, as sort keys; no more pages than that there could be one item on each, and an empty one. */
export const pages = async (table: Table, query: Query, most = 100): Promise<string[][]> => {
  const found: string[][] = [];
  let after: string | undefined;
  do {
    if (found.length === most) throw new Error(`There are more than ${most} pages.`);
    const page = await table.query({ ...query, after });
    found.push(page.items.map(({ sk }) => sk));
    after = page.next;
  } while (after !== undefined);
  return found;
};

export const sortKeys = async (table: Table, query: Query): Promise<string[]> => (await pages(table, query)).flat();
