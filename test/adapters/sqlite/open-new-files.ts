/**
 * Prints that it is ready and reads a start time from its input. From then on it opens one store of the folder every
 * MILLISECONDS, puts one item and closes the store. Arguments: FOLDER STORES MILLISECONDS SORT_KEY.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openSqliteTable } from '../../../adapters/sqlite/sqlite-table.ts';

const [folder = '', stores, milliseconds, sk = ''] = process.argv.slice(2);
writeSync(1, 'ready\n');
const moment = Number(await text(process.stdin));
for (let i = 0; i < Number(stores); i++) {
  // A busy loop keeps the time, because timers fire late by varying amounts.
  while (Date.now() < moment + i * Number(milliseconds));
  const table = openSqliteTable(join(folder, `${i}.db`));
  await table.put({ pk: 'openers', sk, data: {} });
  await table.close();
}
