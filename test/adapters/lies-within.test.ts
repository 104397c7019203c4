import { expect, test } from 'vitest';
import { liesWithin } from '../../adapters/filesystem/lies-within.ts';

test.each([
  ['/shop/data', '/shop/data', true],
  ['/shop/data/keys', '/shop/data', true],
  ['/shop/data/..backups', '/shop/data', true],
  ['/shop/database', '/shop/data', false],
  ['/shop', '/shop/data', false],
  ['/shop/backups', '/shop/data', false],
  ['/shop/data', '/', true],
])('whether the path %s lies within %s is %s', (path, folder, is) => {
  expect(liesWithin(path, folder)).toBe(is);
});
