/**
 * Says that it is ready and reads a moment from its input. From then on, every so many milliseconds, it opens a store in
 * the folder, puts one item and closes it: FOLDER STORES MILLISECONDS SORT_KEY.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openSqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';

const [folder = '', stores, milliseconds, sk = ''] = process.argv.slice(2);
writeSync(1, 'ready\n');
const moment = Number(await text(process.stdin));
for (let i = 0; i < Number(stores); i++) {
  // Timers are too late, each by as much as it likes.
  while (Date.now() < moment + i * Number(milliseconds));
  const table = openSqliteTable(join(folder, `${i}.db`));
  await table.put({ pk: 'openers', sk, data: {} });
  await table.close();
}
