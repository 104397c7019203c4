import { parseArgs } from 'node:util';
import { recordGrowth, writeCostsPage } from './files.ts';
import { measureGrowth } from './growth.ts';
import { withDynamodbLocal } from './local.ts';

const SIZES = [100, 10_000];

/**
 * `npm run -s growth [-- --items N]` measures requests on a table of N items, by default of 100 and of 10,000, and
 * writes the results to docs/costs.md. A million items take some minutes and 2 GB of memory.
 */
const { values } = parseArgs({ options: { items: { type: 'string' } } });
const sizes = values.items === undefined ? SIZES : [Number(values.items)];
if (!sizes.every((items) => Number.isSafeInteger(items) && items > 0)) throw new Error('--items takes a whole number.');

for (const items of sizes) {
  await withDynamodbLocal(async () => {
    const growth = await measureGrowth(items);
    await recordGrowth(growth);
    process.stdout.write(`${JSON.stringify(growth)}\n`);
    if (items === sizes.at(-1)) await writeCostsPage();
  });
}
