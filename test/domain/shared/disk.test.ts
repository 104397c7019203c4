import { expect, test } from 'vitest';
import { isNearlyFull } from '../../../domain/shared/disk.ts';

test.each([
  ['99 of 1000 bytes', { free: 99 }, true],
  ['100 of 1000 bytes', { free: 100 }, false],
  ['no byte', { free: 0 }, true],
  ['half of its bytes, and 9 of 100 inodes', { freeInodes: 9 }, true],
  ['half of its bytes, and 10 of 100 inodes', { freeInodes: 10 }, false],
  ['half of its bytes, and no number of inodes', { freeInodes: 0, inodes: 0 }, false],
])('a disk is judged by its bytes and its inodes: %s free', (_, disk, full) => {
  expect(isNearlyFull({ free: 500, size: 1000, freeInodes: 50, inodes: 100, ...disk })).toBe(full);
});
