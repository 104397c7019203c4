import { expect, test } from 'vitest';
import { measureGrowth } from '../tools/costs/growth.ts';

test('a library, an install plan and a license check cost the same with 10,000 items as with 100', async () => {
  const [small, large] = [await measureGrowth(100), await measureGrowth(10_000)];
  expect(small.costs.map(({ id }) => id)).toEqual(['getLibrary', 'planInstall', 'checkLicense']);
  expect(large.costs).toEqual(small.costs);
}, 120_000);
