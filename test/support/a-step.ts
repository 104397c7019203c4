import { type FormatStep, STEPS } from '../../adapters/store/formats.ts';
import { itemOf } from '../../adapters/store/records.ts';
import type { KeyOf, TypedTable } from '../../adapters/store/typed-table.ts';

/** A record that has `doubled` from format 2 on. */
export type Row = { readonly n: number; readonly doubled?: number };

const PARTITION = 'JOBS';
const rowKey = (n: number): KeyOf<Row> => ({ pk: PARTITION, sk: `ROW#${String(n).padStart(4, '0')}` });

export const fillRows = async (table: TypedTable, rows: number): Promise<void> => {
  for (let n = 0; n < rows; n++) await table.put(itemOf(rowKey(n), { n }));
};

export const rowsOf = async (table: TypedTable): Promise<Row[]> =>
  (await table.query<Row>({ pk: PARTITION, limit: 1000 })).items.map(({ data }) => data);

/** A step that doubles a few rows per page, each once. `before` is called before each page. */
export const doubling = (before: (after: string | null) => void | Promise<void> = () => {}): FormatStep => ({
  description: 'Each row gets its double.',
  page: async ({ table }, after) => {
    await before(after);
    const page = await table.query<Row>({ pk: PARTITION, limit: 10, after: after ?? undefined });
    for (const { pk, sk, version, data } of page.items) {
      if (data.doubled !== undefined) continue;
      await table.put(itemOf({ pk, sk } as KeyOf<Row>, { ...data, doubled: data.n * 2 }), { version });
    }
    return page.next ?? null;
  },
});

/** Gives this process an additional step, until the value is disposed of. */
export const withStep = (step: FormatStep): Disposable => {
  (STEPS as FormatStep[]).push(step);
  return { [Symbol.dispose]: () => void (STEPS as FormatStep[]).pop() };
};
