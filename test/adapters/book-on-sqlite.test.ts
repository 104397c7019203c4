import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import { bookOfSequences } from '../contracts/book.ts';
import { prefixed } from '../support/switched-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'book-'));
const table = openSqliteTable(join(folder, 'store.db'));
afterAll(async () => {
  await table.close();
  rmSync(folder, { recursive: true });
});

let runs = 0;
bookOfSequences('SqliteTable', () => prefixed(table, `${++runs}/`), { most: 2 });
