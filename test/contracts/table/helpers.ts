import { randomUUID } from 'node:crypto';
import type { Item, Key, Query, Table, Write } from '../../../adapters/store/table.ts';

/** The table under test, which is open while tests run. */
export type Use = () => Table;

/** A partition that no other test uses. */
export const newPk = (): string => `contract-${randomUUID()}`;

export const newKey = (): Key => ({ pk: newPk(), sk: 'item' });

/** Strings that some stores confuse. */
export const VARIANTS = [
  'a',
  'A',
  'a ',
  ' a',
  'a\t',
  'a\u0000',
  'a\u0000b',
  'á',
  'a\u0301',
  'ａ',
  'a#b',
  '한',
  '😀',
  '%',
  '_',
];

/** Returns the item, and throws if there is none. */
export const stored = async (table: Table, key: Key): Promise<Item> => {
  const item = await table.get(key);
  if (!item) throw new Error('There is no such item.');
  return item;
};

/** Puts an item for each sort key, in transactions of maximum size. By default an item's data are its sort key. */
export const fill = async (table: Table, pk: string, sortKeys: readonly string[], data?: object): Promise<void> => {
  for (let i = 0; i < sortKeys.length; i += 100) {
    const writes: Write[] = sortKeys.slice(i, i + 100).map((sk) => ({ put: { pk, sk, data: data ?? { sk } } }));
    if (!(await table.transact(writes))) throw new Error('The items were not written.');
  }
};

/** Reads every page of a query as a list of sort keys. It throws after `most` pages, so that no query runs forever. */
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
