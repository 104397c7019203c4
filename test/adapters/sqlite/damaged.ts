import { readFileSync, writeFileSync } from 'node:fs';
import { openSqliteTable, type SqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';
import type { Outage } from '../../contracts/table.ts';

/** The first page has the header and the schema, and opening a store reads nothing else. */
const PAGE = 4096;

/** Opens a store whose file is damaged after its first page, so that no item and no counter can be read or written. */
export const openDamaged = async (file: string): Promise<Outage & { readonly table: SqliteTable }> => {
  const sound = openSqliteTable(file);
  await sound.put({ pk: 'p', sk: 's', data: {} });
  await sound.close();
  const bytes = readFileSync(file);
  writeFileSync(file, Buffer.from(bytes).fill(0xff, PAGE));
  const table = openSqliteTable(file);
  const restore = async (): Promise<void> => {
    writeFileSync(file, bytes);
    // Another connection's write makes SQLite discard its cached pages.
    const other = openSqliteTable(file);
    await other.put({ pk: 'p', sk: 's', data: {} });
    await other.close();
  };
  return { table, restore };
};
