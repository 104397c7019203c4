import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Mean, REQUESTS_A_DAY } from '../tools/costs/device-day.ts';
import { SCALE_PAGE } from '../tools/costs/files.ts';
import { measureFootprint } from '../tools/costs/footprint.ts';
import { QUOTAS } from '../tools/costs/quotas.ts';
import { fleetOf, loadOf, PEAK } from '../tools/costs/scale.ts';

const mean: Mean = {
  readUnits: 5,
  writeUnits: 2,
  ms: 20,
  dollarsPerMillion: { dynamodb: 1, lambda: 0.5, gateway: 1, logs: 0.25, transfer: 0.25 },
};

describe('the arithmetic of scale', () => {
  test('a load takes units and instances in proportion, and a month of it costs its requests', () => {
    const { need, dollarsMonth } = loadOf(1000, mean);
    expect(need).toEqual({ gateway: 1000, lambda: 20, reads: 5000, writes: 2000 });
    expect(dollarsMonth).toBeCloseTo(2628 * 3);
  });

  test('the first bottleneck is the limit of which a load takes the largest part', () => {
    const [first] = loadOf(8000, mean).parts;
    expect(first).toEqual({ name: 'reads', part: 40_000 / QUOTAS.reads.first });
    const [slow] = loadOf(8000, { ...mean, ms: 2000 }).parts;
    expect(slow).toEqual({ name: 'lambda', part: 16_000 / QUOTAS.lambda.first });
  });

  test('a fleet pays for its average, is measured by its busiest second, and keeps its footprint', () => {
    const fleet = fleetOf(86_400, mean, { items: 10, bytes: 1e6 });
    expect(fleet.meanPerSecond).toBeCloseTo(REQUESTS_A_DAY);
    expect(fleet.peak.perSecond).toBeCloseTo(REQUESTS_A_DAY * PEAK);
    expect([fleet.items, fleet.gigabytes]).toEqual([864_000, 86.4]);
  });
});

test('docs/scale.md has the footprint of today; `npm run -s costs` writes it', async () => {
  const { items, bytes } = await measureFootprint();
  expect(items).toBeGreaterThan(100);
  const page = (await readFile(SCALE_PAGE, 'utf8')).replaceAll('\n', ' ');
  expect(page).toContain(`keeps ${Math.round(items)} items of ${(bytes / 1e3).toFixed(2)} kilobytes`);
});
