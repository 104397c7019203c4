import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keySecrets } from '../../adapters/crypto/key-secrets.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const minted = fc.constant(null).map(() => keySecrets.mint().value);
const position = fc.nat({ max: 52 });

describe('a key value', () => {
  test('has 53 characters, of which the first 14 are shown', () => {
    const { value, prefix } = keySecrets.mint();
    expect(value).toMatch(/^svc_[0-9A-Za-z]{49}$/);
    expect(prefix).toBe(value.slice(0, 14));
  });

  test('is known by the SHA-256 of all of it', () => {
    const { value, hash } = keySecrets.mint();
    expect(hash).toBe(createHash('sha256').update(value).digest('hex'));
    expect(keySecrets.hash(value)).toBe(hash);
  });

  test('is never minted twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => keySecrets.mint().value)).size).toBe(1000);
  });

  test('ends in the CRC32 of what stands before it', () => {
    // 0 in 43 digits, and CRC-32/ISO-HDLC of that text (Python's zlib.crc32) in base62.
    const checked = `svc_${'0'.repeat(43)}`;
    expect(keySecrets.hash(`${checked}0JB6dd`)).toBeDefined();
  });

  test('with one character changed is refused', () => {
    fc.assert(
      fc.property(minted, position, fc.constantFrom(...ALPHABET, '-', ' ', 'é'), (value, at, other) => {
        fc.pre(value[at] !== other);
        expect(keySecrets.hash(value.slice(0, at) + other + value.slice(at + 1))).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  test('with two neighbours swapped is refused', () => {
    fc.assert(
      fc.property(minted, fc.nat({ max: 51 }), (value, at) => {
        const [a, b] = [value.charAt(at), value.charAt(at + 1)];
        fc.pre(a !== b);
        expect(keySecrets.hash(value.slice(0, at) + b + a + value.slice(at + 2))).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  test('cut short or with something around it is refused', () => {
    fc.assert(
      fc.property(minted, position, fc.string({ minLength: 1, maxLength: 3 }), (value, length, more) => {
        expect(keySecrets.hash(value.slice(0, length))).toBeUndefined();
        expect(keySecrets.hash(value.slice(length + 1))).toBeUndefined();
        expect(keySecrets.hash(value + more)).toBeUndefined();
        expect(keySecrets.hash(more + value)).toBeUndefined();
      }),
    );
  });

  test('is no other text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => keySecrets.hash(text) === undefined));
  });
});
