import { describe, expect, test } from 'vitest';
import { COST, isPasswordHash, readPasswordHash } from '../../../domain/accounts/account.ts';

const SALT = 's'.repeat(16);
const HASH = 'h'.repeat(43);
const encoded = (N: number, r: number, p: number) => `scrypt$${N}$${r}$${p}$${SALT}$${HASH}`;

describe('an encoded hash of a password', () => {
  test('a hash is read with its cost, its salt and its parts', () => {
    expect(readPasswordHash(encoded(2 ** 17, 8, 1))).toEqual({ cost: COST, salt: SALT, hash: HASH });
  });

  test.each<[string, [number, number, number]]>([
    ['the least cost', [2, 1, 1]],
    ['the most memory, 256 MiB', [2 ** 18, 8, 1]],
    ['the most work, four times the usual', [2 ** 17, 8, 4]],
  ])('a hash is accepted with %s', (_, cost) => {
    expect(isPasswordHash(encoded(...cost))).toBe(true);
  });

  test.each<[string, [number, number, number]]>([
    ['no rounds', [1, 8, 1]],
    ['rounds that are no power of two', [2 ** 17 - 1, 8, 1]],
    ['no blocks', [2 ** 17, 0, 1]],
    ['no lanes', [2 ** 17, 8, 0]],
    ['more memory than 256 MiB', [2 ** 18, 9, 1]],
    ['more work than four times the usual', [2 ** 17, 8, 5]],
  ])('a hash is refused with %s', (_, cost) => {
    expect(isPasswordHash(encoded(...cost))).toBe(false);
  });

  test('a text that is not a hash is refused', () => {
    expect(['', 'plain', `x${encoded(2, 1, 1)}`, `${encoded(2, 1, 1)}x`].map(isPasswordHash)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
