import { describe, expect, test } from 'vitest';
import {
  currentKey,
  LISTED_FOR_MS,
  MAX_KEYS,
  nextKey,
  type PolicyKeyRing,
  type SigningKey,
  stateOf,
  withActivated,
  withNewKey,
  withRevoked,
} from '../../domain/policy/key-ring.ts';
import { readKeyRing, writeKeyRing } from '../../domain/policy/key-ring-text.ts';
import { addDays, millis, toInstant } from '../../domain/shared/instant.ts';
import { NOW } from '../support/builders.ts';

const part = (letter: string): string => letter.repeat(43);
const aKey = (letter: string) => ({ kid: part(letter), x: part(letter), d: part(letter) });

const made = <T>(outcome: { ok: true; value: T } | { ok: false; code: string }): T => {
  if (!outcome.ok) throw new Error(outcome.code);
  return outcome.value;
};

const one = made(withNewKey([], aKey('a'), NOW));
const two = made(withNewKey(one, aKey('b'), NOW));
const states = (ring: PolicyKeyRing) => ring.map((key) => `${key.kid[0]} ${stateOf(key)}`);
const later = (ms: number) => toInstant(millis(NOW) + ms);

describe('a new key', () => {
  test('is in use at once where it is the first', () => {
    expect(one).toEqual([{ ...aKey('a'), created_at: NOW, current_from: NOW }]);
    expect(currentKey(one)?.kid).toBe(part('a'));
  });

  test('is the next where there is one in use, which goes on', () => {
    expect(states(two)).toEqual(['a current', 'b next']);
    expect([currentKey(two)?.kid, nextKey(two)?.kid]).toEqual([part('a'), part('b')]);
  });

  test('is refused while there is a next one', () => {
    expect(withNewKey(two, aKey('c'), NOW)).toMatchObject({ ok: false, code: 'next_key_exists' });
  });

  test('is refused where there are as many as are kept', () => {
    const old: SigningKey = { ...aKey('o'), d: null, created_at: NOW, current_from: NOW };
    const ring = (length: number): PolicyKeyRing => [...Array.from({ length: length - 1 }, () => old), ...one];
    expect(withNewKey(ring(MAX_KEYS - 1), aKey('c'), NOW).ok).toBe(true);
    expect(withNewKey(ring(MAX_KEYS), aKey('c'), NOW)).toMatchObject({ ok: false, code: 'too_many_keys' });
  });
});

describe('the next key', () => {
  test('comes into use once everybody can have it on his list, and not before', () => {
    expect(withActivated(two, later(LISTED_FOR_MS - 1))).toMatchObject({ ok: false, code: 'key_too_new' });
    const ring = made(withActivated(two, later(LISTED_FOR_MS)));
    expect(states(ring)).toEqual(['a old', 'b current']);
    expect(currentKey(ring)).toMatchObject({ kid: part('b'), current_from: later(LISTED_FOR_MS) });
  });

  test('comes into use sooner where that is said', () => {
    expect(states(made(withActivated(two, NOW, { unlisted: true })))).toEqual(['a old', 'b current']);
  });

  test('leaves of the one before it what verifies, and nothing that signs', () => {
    const [old] = made(withActivated(two, addDays(NOW, 1)));
    expect(old).toEqual({ ...aKey('a'), d: null, created_at: NOW, current_from: NOW });
  });

  test('has to be there', () => {
    for (const ring of [[], one]) expect(withActivated(ring, NOW)).toMatchObject({ ok: false, code: 'no_next_key' });
  });
});

describe('a key that is revoked', () => {
  const three = made(withNewKey(made(withActivated(two, NOW, { unlisted: true })), aKey('c'), NOW));

  test('is in the ring no more, be it old or the next, and the others are as they were', () => {
    expect(made(withRevoked(three, part('a'), NOW))).toEqual(three.slice(1));
    expect(made(withRevoked(three, part('c'), NOW))).toEqual(three.slice(0, 2));
  });

  test('makes place for the next where it was in use, whether clients can know that one or not', () => {
    const ring = made(withRevoked(three, part('b'), later(1)));
    expect(states(ring)).toEqual(['a old', 'c current']);
    expect(currentKey(ring)).toEqual({ ...aKey('c'), created_at: NOW, current_from: later(1) });
  });

  test('has to have somebody to follow it where it is in use', () => {
    expect(withRevoked(one, part('a'), NOW)).toMatchObject({
      ok: false,
      code: 'no_next_key',
      message: expect.stringMatching(/create one first\.$/),
    });
  });

  test('has to be there', () => {
    for (const ring of [[], three]) {
      expect(withRevoked(ring, part('x'), NOW)).toMatchObject({ ok: false, code: 'key_not_found' });
    }
  });
});

describe('a ring that is written down', () => {
  test('is read as it was, key by key', () => {
    for (const ring of [[], one, two, made(withActivated(two, addDays(NOW, 1)))]) {
      expect(readKeyRing(writeKeyRing(ring))).toEqual(ring);
    }
  });

  const [key] = JSON.parse(writeKeyRing(one)).keys;

  test.each([
    ['no text', ''],
    ['no JSON', '{'],
    ['no object', 'null'],
    ['another object', '{}'],
    ['no key', '{"keys": [null]}'],
    ['a key of another kind', JSON.stringify({ keys: [{ ...key, crv: 'Ed448' }] })],
    ['a key cut short', JSON.stringify({ keys: [{ ...key, d: 'a' }] })],
    ['a key of no time', JSON.stringify({ keys: [{ ...key, created_at: 'now' }] })],
    ['a key that may be in use or not', JSON.stringify({ keys: [{ ...key, current_from: undefined }] })],
    ['two keys in use', JSON.stringify({ keys: [key, key] })],
  ])('is none where there is %s', (_, text) => {
    expect(readKeyRing(text)).toBeUndefined();
  });
});
