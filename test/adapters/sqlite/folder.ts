import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SqliteOptions } from '../../../adapters/sqlite/sqlite-table.ts';
import { openSqliteTable, type SqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';

/** Creates a folder that is removed after the test. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-table-'));
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  return folder;
};

export const newFile = (): string => join(newFolder(), 'store.db');

/** Opens a store that is closed after the test. */
export const open = (file: string, options?: SqliteOptions): SqliteTable => {
  const table = openSqliteTable(file, options);
  onTestFinished(() => table.close());
  return table;
};
