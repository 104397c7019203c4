import { parseArgs } from 'node:util';
import { measureCatalogGrowth } from './catalog-growth.ts';
import { writeDevicesPage } from './devices/measure.ts';
import { recordCatalogGrowth, recordGalleryGrowth, recordGrowth, writeCostsPage } from './files.ts';
import { measureGalleryGrowth } from './gallery-growth.ts';
import { measureGrowth } from './growth.ts';
import { withDynamodbLocal } from './local.ts';

const SIZES = [100, 10_000];
const CATALOGS = [10, 1000];
const GALLERIES = [1000];

/**
/**
 * `npm run -s growth [-- --items N | --products N | --screens N | --devices]` measures requests on a table of N items,
 * by default of 100 and of 10,000, in a shop of N products, by default of 10 and of 1,000, and searches in a gallery of
 * N screens, by default of 1,000. It writes the results to docs/costs.md. A million items, or 100,000 screens, take
 * some minutes and 2 GB of memory. `--devices` measures docs/many-devices.md instead, and needs no DynamoDB Local.
 */
const { values } = parseArgs({
  options: {
    items: { type: 'string' },
    products: { type: 'string' },
    screens: { type: 'string' },
    devices: { type: 'boolean' },
  },
});

const sizes = (name: 'items' | 'products' | 'screens', otherwise: readonly number[]): readonly number[] => {
  const value = values[name];
  if (value === undefined) return Object.keys(values).length === 0 ? otherwise : [];
  const size = Number(value);
  if (!Number.isSafeInteger(size) || size <= 0) throw new Error(`--${name} takes a whole number.`);
  return [size];
};

/** Measures one size on a DynamoDB Local of its own, so that no size pays for the memory of the one before. */
const measure = <T extends object>(work: () => Promise<T>, record: (measured: T) => Promise<void>): Promise<void> =>
  withDynamodbLocal(async () => {
    const measured = await work();
    await record(measured);
    process.stdout.write(`${JSON.stringify(measured)}\n`);
  });

for (const items of sizes('items', SIZES)) await measure(() => measureGrowth(items), recordGrowth);
for (const products of sizes('products', CATALOGS)) {
  await measure(() => measureCatalogGrowth(products), recordCatalogGrowth);
}
for (const screens of sizes('screens', GALLERIES)) {
  await measure(() => measureGalleryGrowth(screens), recordGalleryGrowth);
}
if (values.devices) process.stdout.write(`${JSON.stringify(await writeDevicesPage())}\n`);
else await withDynamodbLocal(async () => void (await writeCostsPage()));
