import { beforeAll, describe, expect, test } from 'vitest';
import { recordedGrowth } from '../costs/files.ts';
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
