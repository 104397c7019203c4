import { join } from 'node:path';
import { MemoryTable } from '../../../../adapters/memory/memory-table.ts';
import { openSqliteTable } from '../../../../adapters/sqlite/sqlite-table.ts';
import type { Table } from '../../../../adapters/store/table.ts';
import { part } from '../part.ts';

const CHECKS = 2000;

/** The store calls of a license check of a known device: its key, the rate limit, its grants and its device. */
const checkOnce = async (table: Table, n: number): Promise<void> => {
  await table.get({ pk: 'KEY#1', sk: 'KEY' });
  await Promise.all([
    table.increment({ pk: 'RATE#1', sk: '1' }, 1, { volatile: true }),
    table.query({ pk: 'ACCOUNT#1', prefix: 'ENTITLEMENT#1#' }),
    table.query({ pk: 'ACCOUNT#1', prefix: 'SUBSCRIPTION#' }),
    table.getMany([
      { pk: 'ACCOUNT#1', sk: 'SLOTS#1' },
      { pk: 'ACCOUNT#1', sk: `DEVICE#1#${n % 10}` },
    ]),
  ]);
};

const measure = async (table: Table): Promise<number> => {
  await table.put({ pk: 'KEY#1', sk: 'KEY', data: { id: 1 } });
  await table.put({ pk: 'ACCOUNT#1', sk: 'ENTITLEMENT#1#1', data: { id: 1 } });
  await table.put({ pk: 'ACCOUNT#1', sk: 'SLOTS#1', data: { used: 10 } });
  for (let n = 0; n < 10; n++) await table.put({ pk: 'ACCOUNT#1', sk: `DEVICE#1#${n}`, data: { n } });
  for (let n = 0; n < CHECKS; n++) await checkOnce(table, n);
  const before = process.cpuUsage();
  for (let n = 0; n < CHECKS; n++) await checkOnce(table, n);
  const { user, system } = process.cpuUsage(before);
  await table.close();
  return (user + system) / CHECKS;
};

export const STORE = part({
  title: 'The store alone',
  text: 'CPU time of the store calls of a license check of a known device, in a loop.',
  ratios: {},
  figures: [
    'the store alone, for one license check, memory engine, CPU µs',
    'the store alone, for one license check, sqlite engine, CPU µs',
  ],
  measure: async (folder) => ({
    ratios: {},
    figures: {
      'the store alone, for one license check, memory engine, CPU µs': await measure(new MemoryTable()),
      'the store alone, for one license check, sqlite engine, CPU µs': await measure(
        openSqliteTable(join(folder, 'cost.db')),
      ),
    },
  }),
});
