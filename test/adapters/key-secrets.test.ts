import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentTokenSecrets, keySecrets, licenseKeySecrets } from '../../adapters/crypto/secrets.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const minted = fc.constant(null).map(() => keySecrets.mint().value);
const position = fc.nat({ max: 52 });

describe('the value of an API key', () => {
  test('a key value has 53 characters, and its first 14 are shown', () => {
    const { value, prefix } = keySecrets.mint();
    expect(value).toMatch(/^svc_[0-9A-Za-z]{49}$/);
    expect(prefix).toBe(value.slice(0, 14));
  });

  test('a key value is identified by the SHA-256 of the whole value', () => {
    const { value, hash } = keySecrets.mint();
    expect(hash).toBe(createHash('sha256').update(value).digest('hex'));
    expect(keySecrets.hash(value)).toBe(hash);
  });

  test('key values are unique', () => {
    expect(new Set(Array.from({ length: 1000 }, () => keySecrets.mint().value)).size).toBe(1000);
  });

  test('a key value ends in the CRC32 of the characters before it', () => {
    // The last six characters are the CRC-32/ISO-HDLC of this text (Python's zlib.crc32) in base62.
    const checked = `svc_${'0'.repeat(43)}`;
    expect(keySecrets.hash(`${checked}0JB6dd`)).toBeDefined();
  });

  test('a key value with a changed character is refused', () => {
    fc.assert(
      fc.property(minted, position, fc.constantFrom(...ALPHABET, '-', ' ', 'é'), (value, at, other) => {
        fc.pre(value[at] !== other);
        expect(keySecrets.hash(value.slice(0, at) + other + value.slice(at + 1))).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  test('a key value with two swapped characters is refused', () => {
    fc.assert(
      fc.property(minted, fc.nat({ max: 51 }), (value, at) => {
        const [a, b] = [value.charAt(at), value.charAt(at + 1)];
        fc.pre(a !== b);
        expect(keySecrets.hash(value.slice(0, at) + b + a + value.slice(at + 2))).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  test('a key value that is cut short or surrounded by other text is refused', () => {
    fc.assert(
      fc.property(minted, position, fc.string({ minLength: 1, maxLength: 3 }), (value, length, more) => {
        expect(keySecrets.hash(value.slice(0, length))).toBeUndefined();
        expect(keySecrets.hash(value.slice(length + 1))).toBeUndefined();
        expect(keySecrets.hash(value + more)).toBeUndefined();
        expect(keySecrets.hash(more + value)).toBeUndefined();
      }),
    );
  });

  test('any other text is refused as a key value', () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => keySecrets.hash(text) === undefined));
  });
});

describe('the value of a license key', () => {
  test('a license key has the form of a key value with its own prefix, and a mistyped one is refused', () => {
    const { value, hash, prefix } = licenseKeySecrets.mint();
    expect(value).toMatch(/^lic_[0-9A-Za-z]{49}$/);
    expect(prefix).toBe(value.slice(0, 14));
    expect(licenseKeySecrets.hash(value)).toBe(hash);
    expect(licenseKeySecrets.hash(`${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`)).toBeUndefined();
  });

  test('a license key can be an earlier system’s of at least 16 characters, and never another kind of value', () => {
    const earlier = ['80e15db5-c796-436b-850c-8f9c98a48abe', '85DB562A-C11D4B06-A2335A6B-8C079166'];
    for (const value of earlier) {
      expect(licenseKeySecrets.hash(value)).toBe(createHash('sha256').update(value).digest('hex'));
      expect(keySecrets.hash(value)).toBeUndefined();
    }
    const others = [
      keySecrets.mint().value,
      agentTokenSecrets.mint().value,
      'x'.repeat(15),
      `${'x'.repeat(16)} `,
      '키'.repeat(16),
    ];
    for (const value of others) expect(licenseKeySecrets.hash(value)).toBeUndefined();
  });
});

describe('the value of an agent token', () => {
  test('a token value has the form of a key value with its own prefix', () => {
    const { value, hash, prefix } = agentTokenSecrets.mint();
    expect(value).toMatch(/^agt_[0-9A-Za-z]{49}$/);
    expect(prefix).toBe(value.slice(0, 14));
    expect(hash).toBe(createHash('sha256').update(value).digest('hex'));
    expect(agentTokenSecrets.hash(value)).toBe(hash);
  });

  test('key values and token values are never mistaken for each other, whatever their prefix', () => {
    const [key, token] = [keySecrets.mint().value, agentTokenSecrets.mint().value];
    for (const value of [key, key.replace('svc_', 'agt_')]) expect(agentTokenSecrets.hash(value)).toBeUndefined();
    for (const value of [token, token.replace('agt_', 'svc_')]) expect(keySecrets.hash(value)).toBeUndefined();
  });
});
