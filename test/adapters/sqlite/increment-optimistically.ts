/**
 * Increments an item and a counter the given number of times; the item each time on the version that was read.
 * Arguments: FILE TIMES.
 */
import { openSqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';
import type { TypedTable } from '../../../adapters/store/typed-table.ts';

const [file = '', times] = process.argv.slice(2);
const table: TypedTable = openSqliteTable(file);
const key = { pk: 'shared', sk: 'number' };

const addOne = async (): Promise<boolean> => {
  const item = await table.get<{ n: number }>(key);
  return table.put(
    { ...key, data: { n: (item?.data.n ?? 0) + 1 } },
    item ? { version: item.version } : { absent: true },
  );
};

for (let done = 0; done < Number(times); ) {
  if (!(await addOne())) continue;
  done++;
  await table.increment({ pk: 'shared', sk: 'counter' }, 1, { volatile: done % 2 === 0 });
}
await table.close();
