import { readFileSync, writeFileSync } from 'node:fs';
import { openSqliteTable, type SqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';
import type { Outage } from '../../contracts/table.ts';

/** The first page holds the header and the schema, which is all that opening a store reads. */
const PAGE = 4096;

/** Opens a store whose file is damaged beyond its first page, so that no item and no counter can be read or written. */
export const openDamaged = async (file: string): Promise<Outage & { readonly table: SqliteTable }> => {
  const sound = openSqliteTable(file);
  await sound.put({ pk: 'p', sk: 's', data: {} });
  await sound.close();
  const bytes = readFileSync(file);
  writeFileSync(file, Buffer.from(bytes).fill(0xff, PAGE));
  const table = openSqliteTable(file);
  const restore = async (): Promise<void> => {
    writeFileSync(file, bytes);
    // The write of another connection makes SQLite forget the damaged pages that it has read.
    const other = openSqliteTable(file);
    await other.put({ pk: 'p', sk: 's', data: {} });
    await other.close();
  };
  return { table, restore };
};
