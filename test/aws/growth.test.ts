import { beforeAll, describe, expect, test } from 'vitest';
import { recordedGrowth } from '../costs/files.ts';
import { type Growth, measureGrowth } from '../costs/growth.ts';

const FILLING_MS = 120_000;

describe('a table that grows', () => {
  let small: Growth;

  beforeAll(async () => {
    small = await measureGrowth(100);
  });

  test(
    'takes the same for a library, an install plan and a license check with 10,000 items as with 100',
    async () => {
      const large = await measureGrowth(10_000);
      expect(large.costs).toEqual(small.costs);
      expect(small.costs.map(({ id }) => id)).toEqual(['getLibrary', 'planInstall', 'checkLicense']);
    },
    FILLING_MS,
  );

  test('took the same with a million, as docs/costs.md says; `npm run -s growth -- --items N` measures it', async () => {
    const recorded = await recordedGrowth();
    expect(recorded.map(({ items }) => items)).toEqual([100, 10_000, 1_000_000]);
    for (const { costs } of recorded) expect(costs).toEqual(small.costs);
  });
});
