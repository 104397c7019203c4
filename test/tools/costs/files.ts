import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogGrowth } from './catalog-growth.ts';
import { meanOf } from './device-day.ts';
import { costsDocument } from './document.ts';
import { measureFootprint } from './footprint.ts';
import type { GalleryGrowth } from './gallery-growth.ts';
import type { Growth } from './growth.ts';
import { type Cost, measureCosts } from './measure.ts';
import { scaleDocument } from './scale-document.ts';

const page = (name: string): string => join(import.meta.dirname, '..', '..', '..', 'docs', name);

export const COSTS_PAGE = page('costs.md');
export const SCALE_PAGE = page('scale.md');
const GROWTH_RECORD = join(import.meta.dirname, 'growth.json');

const GALLERY_RECORD = join(import.meta.dirname, 'gallery-growth.json');

const CATALOG_RECORD = join(import.meta.dirname, 'catalog-growth.json');

const read = async <T>(file: string): Promise<T[]> => JSON.parse(await readFile(file, 'utf8'));

/** Saves a measurement in place of the previous one of the same size, the smallest size first. */
const record = async <T>(file: string, sizeOf: (one: T) => number, measured: T): Promise<void> => {
  const others = (await read<T>(file)).filter((one) => sizeOf(one) !== sizeOf(measured));
  const all = [...others, measured].sort((a, b) => sizeOf(a) - sizeOf(b));
  await writeFile(file, `${JSON.stringify(all, null, 2)}\n`);
};

/** Reads the last measurement of each table size, the smallest first. */
export const recordedGrowth = (): Promise<Growth[]> => read(GROWTH_RECORD);

export const recordGrowth = (measured: Growth): Promise<void> => record(GROWTH_RECORD, ({ items }) => items, measured);

/** Reads the last measurement of each gallery, the smallest first. */
export const recordedGalleryGrowth = (): Promise<GalleryGrowth[]> => read(GALLERY_RECORD);

export const recordGalleryGrowth = (measured: GalleryGrowth): Promise<void> =>
  record(GALLERY_RECORD, ({ screens }) => screens, measured);

/** Reads the last measurement of each catalog, the smallest first. */
export const recordedCatalogGrowth = (): Promise<CatalogGrowth[]> => read(CATALOG_RECORD);

export const recordCatalogGrowth = (measured: CatalogGrowth): Promise<void> =>
  record(CATALOG_RECORD, ({ products }) => products, measured);

/** Measures every request, and writes docs/costs.md and docs/scale.md. */
export const writeCostsPage = async (): Promise<Cost[]> => {
  const costs = await measureCosts();
  const growth = [await recordedGrowth(), await recordedCatalogGrowth(), await recordedGalleryGrowth()] as const;
  await writeFile(COSTS_PAGE, costsDocument(costs, ...growth));
  await writeFile(SCALE_PAGE, scaleDocument(meanOf(costs), await measureFootprint()));
  return costs;
};
