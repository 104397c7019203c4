import { describe, expect, test } from 'vitest';
import { recordedGrowth } from '../costs/files.ts';
import { type Growth, measureGrowth } from '../costs/growth.ts';

const FILLING_MS = 120_000;

describe('a table that grows', () => {
  test(
    'takes the same for a license check, a library and an install plan with 100 items and with 10,000',
    { timeout: FILLING_MS },
    async () => {
      const small = await measureGrowth(100);
      const large = await measureGrowth(10_000);
      expect(large.costs).toEqual(small.costs);
      expect(small.costs.map(({ id }) => id)).toEqual(['getLibrary', 'planInstall', 'checkLicense']);
    },
  );

  test('took the same with a million, when that was measured', async () => {
    const recorded = await recordedGrowth();
    expect(recorded.map(({ items }) => items)).toEqual([100, 10_000, 1_000_000]);
    const [first, ...others]: readonly Growth['costs'][] = recorded.map(({ costs }) => costs);
    for (const costs of others) expect(costs).toEqual(first);
  });
});
