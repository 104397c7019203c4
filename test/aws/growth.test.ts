import { beforeAll, describe, expect, test } from 'vitest';
import { recordedGalleryGrowth, recordedGrowth } from '../costs/files.ts';
import { type GalleryGrowth, measureGalleryGrowth } from '../costs/gallery-growth.ts';
import { type Growth, measureGrowth } from '../costs/growth.ts';

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
