import { expect, test } from 'vitest';
import { isNearlyFull } from '../../../domain/shared/disk.ts';

test.each([
  [99, true],
  [100, false],
  [0, true],
])('a disk of 1000 bytes with %i free is nearly full: %s', (free, full) => {
  expect(isNearlyFull({ free, size: 1000 })).toBe(full);
});
