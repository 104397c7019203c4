import { beforeEach, describe, expect, test } from 'vitest';
import { type SigningKeyRing, stateIn } from '../../domain/signing/signing-key-ring.ts';
import type { SigningKeyRings } from '../../ports/outbound/signing.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const NOW = '2026-11-21T08:00:00.000Z';
/** A string of the same length as a key id or a part of a key. */
const part = (begin: string, letter: string): string => begin + letter.repeat(42);

/** A ring with an old, a current and a next key. All parts of these keys begin with the letter `own`. */
const aRing = (own: string): SigningKeyRing => {
  const keys = (letter: string) => ({ kid: part(own, letter), x: part(own, letter), created_at: NOW });
  return [
    { ...keys('o'), d: null, current_from: NOW },
    { ...keys('c'), d: part(own, 'C'), current_from: NOW },
    { ...keys('n'), d: part(own, 'N'), current_from: null },
  ];
};

/** A store of signing key rings. `another` opens it as another process would, and `kept` reads all text in it. */
export type SigningKeyRingPlace = {
  readonly another: () => SigningKeyRings;
  readonly kept: () => Promise<string>;
  /** True for a store that starts with a current key; any other starts empty. */
  readonly hasFirstKey?: boolean;
};

/** Registers the tests that every store of signing keys must pass. `open` creates a new store. */
export const signingKeyRingsContract = (
  name: string,
  open: () => Promise<SigningKeyRingPlace>,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as a store of signing key rings`, { timeout }, () => {
    let another: SigningKeyRingPlace['another'];
    let kept: SigningKeyRingPlace['kept'];
    let rings: SigningKeyRings;
    let hasFirstKey: boolean;

    beforeEach(async () => {
      ({ another, kept, hasFirstKey = false } = await open());
      rings = another();
    }, timeout);

    test('a new key-ring store is empty, or has one key in use that every process finds', async () => {
      const read = await Promise.all([rings.read(), another().read(), rings.read()]);
      expect(read.map(({ ring }) => ring.map((key) => stateIn(ring, key, NOW)))).toEqual(
        read.map(() => (hasFirstKey ? ['current'] : [])),
      );
      for (const { ring } of read) expect(ring).toEqual(read[0]?.ring);
    });

    test('a key-ring store returns a saved ring with its private parts to every process', async () => {
      expect(await rings.save(aRing('a'), await rings.read())).toBe(true);
      for (const reader of [rings, another()]) expect((await reader.read()).ring).toEqual(aRing('a'));
      expect(await rings.save(aRing('b'), await rings.read())).toBe(true);
      for (const reader of [rings, another()]) expect((await reader.read()).ring).toEqual(aRing('b'));
    });

    test('a key-ring store refuses a ring made from an outdated read and keeps the newer ring', async () => {
      for (const [first, second] of ['ab', 'cd']) {
        const read = await rings.read();
        expect(await another().save(aRing(first as string), read)).toBe(true);
        expect(await rings.save(aRing(second as string), read)).toBe(false);
        expect((await rings.read()).ring).toEqual(aRing(first as string));
      }
    });

    test('a key-ring store accepts exactly one of several simultaneous changes', async () => {
      const read = await rings.read();
      const saved = await Promise.all([...'abcdef'].map((letter) => another().save(aRing(letter), read)));
      expect(saved.filter(Boolean)).toHaveLength(1);
      expect((await rings.read()).ring).toEqual(aRing('abcdef'[saved.indexOf(true)] as string));
    });

    test('a key-ring store keeps no private part of a replaced ring', async () => {
      for (const letter of 'abc') expect(await another().save(aRing(letter), await rings.read())).toBe(true);
      for (const letter of 'CN') {
        expect(await kept()).toContain(part('c', letter));
        for (const before of 'ab') expect(await kept()).not.toContain(part(before, letter));
      }
    });

    test('a key ring is read completely while it changes', async () => {
      await rings.save(aRing('a'), await rings.read());
      const changes = async () => {
        for (const letter of 'bcdefghijk') await rings.save(aRing(letter), await rings.read());
      };
      const changed = changes();
      for (let n = 0; n < 20; n++) expect((await another().read()).ring).toHaveLength(3);
      await changed;
    });

    test('a key-ring store lets readers keep a ring for at most a minute', () => {
      expect(rings.keptFor).toBeGreaterThanOrEqual(0);
      expect(rings.keptFor).toBeLessThanOrEqual(60_000);
    });
  });
};
