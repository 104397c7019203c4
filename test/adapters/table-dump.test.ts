import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import { tableDumpContract } from '../contracts/table-dump.ts';
import { asSlow } from '../support/slow-engine.ts';
import { openDamaged } from './sqlite/damaged.ts';
import { newFile, open } from './sqlite/folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'table-dump-'));
afterAll(() => rmSync(folder, { recursive: true }));

const whole = new MemoryTable();
const slow = asSlow();
tableDumpContract(
  'MemoryTable',
  () => {
    const table = slow(whole);
    return { table, dump: table };
  },
  { outage: null },
);
tableDumpContract(
  'SqliteTable',
  () => {
    const table = openSqliteTable(join(folder, 'store.db'));
    return { table, dump: table };
  },
  {
    outage: async () => {
      const { table } = await openDamaged(newFile());
      return { table, dump: table };
    },
  },
);

test('the contract suite of a dump leaves only expired entries behind', async () => {
  expect(await whole.dump(Math.floor(Date.now() / 1000))).toEqual({ entries: [] });
});

test.each([
  ['MemoryTable', () => new MemoryTable()],
  ['SqliteTable', () => open(newFile())],
])('the dump of %s counts its items and counters', async (_, make) => {
  const table = make();
  expect(await table.countEntries()).toBe(0);
  for (const sk of ['a', 'b']) await table.put({ pk: sk, sk, data: {} });
  await table.increment({ pk: 'a', sk: 'counter' }, 1);
  expect(await table.countEntries()).toBe(3);
});
