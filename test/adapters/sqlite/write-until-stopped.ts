/**
 * Writes several items at a time until it is killed or the store refuses. It prints the sort key of each acknowledged
 * item immediately, and the store's error to standard error. Argument: FILE.
 */
import { writeSync } from 'node:fs';
import { openSqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';

const AT_ONCE = 8;

const table = openSqliteTable(process.argv[2] ?? '');

const write = async (sk: string): Promise<void> => {
  const filler = 'x'.repeat(500);
  if (Number(sk) % 3 > 0) await table.put({ pk: 'acknowledged', sk, data: { filler } });
  else {
    const keys = [`${sk}`, `${sk}-twin`];
    await table.transact(keys.map((key) => ({ put: { pk: 'acknowledged', sk: key, data: { filler } } })));
  }
  await table.increment({ pk: 'acknowledged', sk: 'count' }, 1, { volatile: true });
  writeSync(1, `${sk}\n`);
};

const keepWriting = async (first: number): Promise<void> => {
  for (let i = first; i < 1_000_000; i += AT_ONCE) await write(String(i));
};

try {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => keepWriting(i)));
} catch (error) {
  const { items } = await table.query({ pk: 'acknowledged', limit: 1 });
  writeSync(2, `${error}; still reads ${items.length}`);
  process.exit(1);
}
