import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { KEY_USES, LISTED_FOR_MS } from '../../../domain/signing/key-use.ts';
import {
  currentKey,
  handoverAt,
  MAX_KEYS,
  nextKey,
  readSigningKeyRing,
  type SigningKey,
  type SigningKeyRing,
  stateIn,
  withActivated,
  withNewKey,
  withRetired,
  withRevoked,
  writeSigningKeyRing,
} from '../../../domain/signing/signing-key-ring.ts';
import { NOW } from '../../support/builders.ts';

const part = (letter: string): string => letter.repeat(43);
const aKey = (letter: string) => ({ kid: part(letter), x: part(letter), d: part(letter) });

const made = <T>(outcome: { ok: true; value: T } | { ok: false; code: string }): T => {
  if (!outcome.ok) throw new Error(outcome.code);
  return outcome.value;
};

const one = made(withNewKey([], aKey('a'), NOW));
const two = made(withNewKey(one, aKey('b'), NOW));
const later = (ms: number) => toInstant(millis(NOW) + ms);
const states = (ring: SigningKeyRing, at = later(LISTED_FOR_MS.policy)) =>
  ring.map((key) => `${key.kid[0]} ${stateIn(ring, key, at)}`);

describe('a new signing key', () => {
  test('the first signing key is in use at once', () => {
    expect(one).toEqual([{ ...aKey('a'), created_at: NOW, current_from: NOW }]);
    expect(currentKey(one, NOW)?.kid).toBe(part('a'));
  });

  test('a second signing key becomes the next key and the current one stays in use', () => {
    expect(states(two)).toEqual(['a current', 'b next']);
    expect([currentKey(two, NOW)?.kid, nextKey(two, NOW)?.kid]).toEqual([part('a'), part('b')]);
  });

  test('a new signing key is refused while there is a next key', () => {
    expect(withNewKey(two, aKey('c'), NOW)).toMatchObject({ ok: false, code: 'next_key_exists' });
  });

  test('a signing key that is in the ring is not added again', () => {
    expect(withNewKey(one, aKey('a'), NOW)).toMatchObject({ ok: false, code: 'key_exists' });
  });

  test('a new signing key is refused when the ring is full', () => {
    const old: SigningKey = { ...aKey('o'), d: null, created_at: NOW, current_from: NOW };
    const ring = (length: number): SigningKeyRing => [...Array.from({ length: length - 1 }, () => old), ...one];
    expect(withNewKey(ring(MAX_KEYS - 1), aKey('c'), NOW).ok).toBe(true);
    expect(withNewKey(ring(MAX_KEYS), aKey('c'), NOW)).toMatchObject({ ok: false, code: 'too_many_keys' });
  });
});

describe('the next signing key', () => {
  test('the next key can be activated only after every client can have listed it', () => {
    expect(withActivated(two, 'policy', later(LISTED_FOR_MS.policy - 1))).toMatchObject({
      ok: false,
      code: 'key_too_new',
    });
    const ring = made(withActivated(two, 'policy', later(LISTED_FOR_MS.policy)));
    expect(states(ring)).toEqual(['a old', 'b current']);
    expect(currentKey(ring, addDays(NOW, 1))).toMatchObject({
      kid: part('b'),
      current_from: later(LISTED_FOR_MS.policy),
    });
  });

  test('the next key for files, which applications embed, can be activated whenever the operator decides', () => {
    expect(states(made(withActivated(two, 'artifact', NOW)))).toEqual(['a old', 'b current']);
  });

  test('the next key can be activated early when the caller accepts an unlisted key', () => {
    expect(states(made(withActivated(two, 'policy', NOW, { unlisted: true })))).toEqual(['a old', 'b current']);
  });

  test('activation keeps the public part of the previous key and removes its private part', () => {
    const [old] = made(withActivated(two, 'policy', addDays(NOW, 1)));
    expect(old).toEqual({ ...aKey('a'), d: null, created_at: NOW, current_from: NOW });
  });

  test('activation is refused when there is no next key', () => {
    for (const ring of [[], one])
      expect(withActivated(ring, 'policy', NOW)).toMatchObject({ ok: false, code: 'no_next_key' });
  });
});

describe('a handover from one signing key to the next', () => {
  const [begun, ends] = [later(LISTED_FOR_MS.license), later(LISTED_FOR_MS.license + 120_000)];
  const handing = made(withActivated(two, 'license', begun, { in: 120_000 }));
  const just = toInstant(millis(ends) - 1);

  test('the previous key signs until the handover, and the next key from then on', () => {
    expect(handoverAt(handing, begun)).toBe(ends);
    for (const at of [begun, just]) expect(currentKey(handing, at)?.kid).toBe(part('a'));
    for (const at of [ends, addDays(ends, 1)]) expect(currentKey(handing, at)?.kid).toBe(part('b'));
    expect([states(handing, just), states(handing, ends)]).toEqual([
      ['a current', 'b next'],
      ['a old', 'b current'],
    ]);
    expect(handoverAt(handing, ends)).toBeNull();
  });

  test('the private part of the previous key is kept until the handover and deleted by the first change after it', () => {
    const parts = (ring: SigningKeyRing) => ring.map(({ d }) => d !== null);
    expect(parts(withRetired(handing, just))).toEqual([true, true]);
    expect(parts(withRetired(handing, ends))).toEqual([false, true]);
    expect(parts(made(withNewKey(handing, aKey('c'), ends)))).toEqual([false, true, true]);
  });

  test('no third key and no second activation begins before the handover has ended', () => {
    expect(withNewKey(handing, aKey('c'), just)).toMatchObject({ ok: false, code: 'next_key_exists' });
    expect(withActivated(handing, 'license', just)).toMatchObject({
      ok: false,
      message: `Key ${part('b')} is already activated, and signs from ${ends} on.`,
    });
  });

  test('a key that is revoked during its handover is replaced at once', () => {
    const ring = made(withRevoked(handing, 'license', part('a'), begun));
    expect(ring).toEqual([{ ...aKey('b'), created_at: NOW, current_from: begun }]);
  });

  test('an instance whose clock is behind every key signs with the first one', () => {
    expect(currentKey(one, addDays(NOW, -1))?.kid).toBe(part('a'));
    expect(currentKey(handing, addDays(NOW, -1))?.kid).toBe(part('a'));
  });

  test('a key activated by a machine with an earlier clock still replaces the previous key', () => {
    const ring = made(withActivated(two, 'license', addDays(NOW, -1), { unlisted: true }));
    expect(ring).toMatchObject([{ d: null }, { current_from: addDays(NOW, -1) }]);
    for (const at of [addDays(NOW, -1), addDays(NOW, 1)]) expect(currentKey(ring, at)?.kid).toBe(part('b'));
  });

  test('instances that read the ring at any time during the handover sign with the same key at each moment', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 240_000 }), fc.array(fc.integer({ min: 0, max: 60_000 })), (ms, ages) => {
        const at = later(LISTED_FOR_MS.license + ms);
        // An instance has the ring as of its last read, at most a minute ago.
        const read = ages.map((age) => (ms - age < 0 ? two : handing));
        expect(new Set([handing, ...read].map((ring) => currentKey(ring, at)?.kid)).size).toBe(1);
      }),
    );
  });
});

describe('a revoked signing key', () => {
  const three = made(withNewKey(made(withActivated(two, 'policy', NOW, { unlisted: true })), aKey('c'), NOW));

  test('a revoked old or next key leaves the ring and the other keys stay unchanged', () => {
    expect(made(withRevoked(three, 'policy', part('a'), NOW))).toEqual(three.slice(1));
    expect(made(withRevoked(three, 'policy', part('c'), NOW))).toEqual(three.slice(0, 2));
  });

  test('the next key replaces a revoked current key, whether or not clients know it', () => {
    const ring = made(withRevoked(three, 'policy', part('b'), later(1)));
    expect(states(ring)).toEqual(['a old', 'c current']);
    expect(currentKey(ring, addDays(NOW, 1))).toEqual({ ...aKey('c'), created_at: NOW, current_from: later(1) });
  });

  test('the refusal to revoke a key names its signatures', () => {
    const named = KEY_USES.map((use) => withRevoked(one, use, part('a'), NOW));
    expect(named.map((refused) => (refused.ok ? '' : refused.message))).toEqual([
      expect.stringContaining('signs the client policy'),
      expect.stringContaining('signs license tokens'),
      expect.stringContaining('signs files of releases'),
    ]);
  });

  test('the current key cannot be revoked when there is no next key', () => {
    expect(withRevoked(one, 'policy', part('a'), NOW)).toMatchObject({
      ok: false,
      code: 'no_next_key',
      message: expect.stringMatching(/create one first\.$/),
    });
  });

  test('a key that is not in the ring cannot be revoked', () => {
    for (const ring of [[], three]) {
      expect(withRevoked(ring, 'policy', part('x'), NOW)).toMatchObject({ ok: false, code: 'key_not_found' });
    }
  });
});

describe('a stored key ring', () => {
  test('a stored key ring reads back unchanged', () => {
    const handing = made(withActivated(two, 'policy', addDays(NOW, 1), { in: 1000 }));
    for (const ring of [[], one, two, handing, made(withActivated(two, 'policy', addDays(NOW, 1)))]) {
      expect(readSigningKeyRing(writeSigningKeyRing(ring))).toEqual(ring);
    }
  });

  const [key] = JSON.parse(writeSigningKeyRing(one)).keys;

  test.each([
    ['no characters', ''],
    ['invalid JSON', '{'],
    ['null in place of an object', 'null'],
    ['an object without keys', '{}'],
    ['null in place of a key', '{"keys": [null]}'],
    ['a key of another curve', JSON.stringify({ keys: [{ ...key, crv: 'Ed448' }] })],
    ['a key that is cut short', JSON.stringify({ keys: [{ ...key, d: 'a' }] })],
    ['a key without a valid time', JSON.stringify({ keys: [{ ...key, created_at: 'now' }] })],
    ['a key without current_from', JSON.stringify({ keys: [{ ...key, current_from: undefined }] })],
    ['a key twice', JSON.stringify({ keys: [key, key] })],
    ['three keys in use', JSON.stringify({ keys: ['a', 'b', 'c'].map((kid) => ({ ...key, kid: part(kid) })) })],
  ])('a text with %s is not read as a key ring', (_, text) => {
    expect(readSigningKeyRing(text)).toBeUndefined();
  });
});
