import { beforeAll, describe, expect, test } from 'vitest';
import { type CatalogGrowth, type CopyState, measureCatalogGrowth, STATES } from '../tools/costs/catalog-growth.ts';
import { recordedCatalogGrowth, recordedGalleryGrowth, recordedGrowth } from '../tools/costs/files.ts';
import { type GalleryGrowth, measureGalleryGrowth } from '../tools/costs/gallery-growth.ts';
import { type Growth, measureGrowth } from '../tools/costs/growth.ts';

const FILLING_MS = 120_000;

describe('the cost on a growing table', () => {
  let small: Growth;

  beforeAll(async () => {
    small = await measureGrowth(100);
  });

  test(
    'a library, an install plan and a license check cost the same with 10,000 items as with 100',
    async () => {
      const large = await measureGrowth(10_000);
      expect(large.costs).toEqual(small.costs);
      expect(small.costs.map(({ id }) => id)).toEqual(['getLibrary', 'planInstall', 'checkLicense']);
    },
    FILLING_MS,
  );

  test('the recorded costs with a million items equal those with 100; `npm run -s growth -- --items N` measures them', async () => {
    const recorded = await recordedGrowth();
    expect(recorded.map(({ items }) => items)).toEqual([100, 10_000, 1_000_000]);
    for (const { costs } of recorded) expect(costs).toEqual(small.costs);
  });
});

/** Read units of a process that starts: a unit is 4 KB, or 8 KB of a chunk, and a product takes about 1 KB compressed. */
const startUnits = (products: number): number => 20 + products / 5;

describe('the cost in a growing catalog', () => {
  let recorded: readonly CatalogGrowth[];
  let measured: readonly CatalogGrowth[];

  beforeAll(async () => {
    recorded = await recordedCatalogGrowth();
    measured = [await measureCatalogGrowth(10), await measureCatalogGrowth(1000)];
  }, FILLING_MS);

  const costsIn = (shops: readonly CatalogGrowth[], state: CopyState) =>
    shops.map(({ costs }) => costs.filter((cost) => cost.state === state));

  test('the recorded costs of 10 and of 1,000 products are current; `npm run -s growth -- --products N` measures them', () => {
    expect(recorded.map(({ products }) => products)).toEqual([10, 1000, 10_000]);
    for (const state of ['warm', 'a copy to look after', 'a product changed'] as const) {
      expect(costsIn(recorded.slice(0, 2), state), state).toEqual(costsIn(measured, state));
    }
  });

  test.each(STATES.slice(0, 3))('a request with %s copy costs the same with 10,000 products as with 10', (state) => {
    const [few, ...more] = costsIn(recorded, state);
    for (const costs of more) expect(costs).toEqual(few);
  });

  test('a look at an old copy adds one unit for the catalog and one for the releases, and no round trip with a key', () => {
    for (const { costs } of measured) {
      for (const id of ['checkLicense', 'getLibrary']) {
        const of = (state: CopyState) => costs.find((cost) => cost.id === id && cost.state === state);
        const [warm, looking] = [of('warm'), of('a copy to look after')];
        expect(looking?.rounds).toBe(warm?.rounds);
        expect((looking?.readUnits ?? 0) - (warm?.readUnits ?? 0)).toBeLessThanOrEqual(2);
      }
    }
  });

  test('a process that starts takes four round trips at most, and a unit for five products', () => {
    for (const { products, costs } of [...recorded, ...measured]) {
      for (const cost of costs.filter(({ state }) => state === 'just started')) {
        expect(cost.rounds).toBeLessThanOrEqual(4);
        expect(cost.readUnits).toBeLessThanOrEqual(startUnits(products));
      }
    }
  });

  test('a process that holds 10,000 products takes less than 100 MB more', () => {
    for (const { catalogMb, supplyMb } of recorded) expect(catalogMb + supplyMb).toBeLessThan(100);
  });
});

describe('the cost of a page of screens in a growing gallery', () => {
  let recorded: readonly GalleryGrowth[];
  let small: GalleryGrowth;

  beforeAll(async () => {
    recorded = await recordedGalleryGrowth();
    small = await measureGalleryGrowth(1000);
  }, FILLING_MS);

  test('the recorded costs of 1,000 screens are current; `npm run -s growth -- --screens N` measures them', () => {
    expect(recorded.map(({ screens }) => screens)).toEqual([1000, 100_000]);
    expect(recorded[0]?.costs).toEqual(small.costs);
  });

  test('every page of screens takes three round trips, whether there are 1,000 screens or 100,000', () => {
    const rounds = recorded.flatMap(({ costs }) => costs.flatMap(({ cold, again }) => [cold.rounds, again.rounds]));
    expect(new Set(rounds)).toEqual(new Set([3]));
  });

  test('a search of 100,000 screens takes at most 2.5 read units more for each term, and again only those of the page', () => {
    const [least, most] = recorded;
    // The searches with the most terms have five.
    for (const [n, { search, cold, again }] of (most?.costs ?? []).entries()) {
      expect(cold.readUnits - again.readUnits, search).toBeLessThanOrEqual(2.5 * 5);
      expect(cold.readUnits - (least?.costs[n]?.cold.readUnits ?? 0), search).toBeLessThanOrEqual(2.5 * 5);
      expect(again.readUnits, search).toBeLessThanOrEqual(12.5);
    }
  });
});
