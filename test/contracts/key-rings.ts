import { beforeEach, describe, expect, test } from 'vitest';
import type { PolicyKeyRing } from '../../domain/policy/key-ring.ts';
import type { KeyRings } from '../../ports/outbound/policy-keys.ts';

const NOW = '2026-11-21T08:00:00.000Z';
/** As long as a key's name, and each of its parts. */
const part = (begin: string, letter: string): string => begin + letter.repeat(42);

/** A ring with a key in use, an old and a next one, all of whose parts begin with a letter of one's own. */
const aRing = (own: string): PolicyKeyRing => {
  const keys = (letter: string) => ({ kid: part(own, letter), x: part(own, letter), created_at: NOW });
  return [
    { ...keys('o'), d: null, current_from: NOW },
    { ...keys('c'), d: part(own, 'C'), current_from: NOW },
    { ...keys('n'), d: part(own, 'N'), current_from: null },
  ];
};

/** A place of keys: `another` speaks to it as another process would, and `kept` is all the text that lies there. */
export type KeyRingPlace = { readonly another: () => KeyRings; readonly kept: () => Promise<string> };

/**
 * Registers, in a vitest file, what every place that keeps the keys of the client policy has to pass. `open` makes an
 * empty place.
 */
export const keyRingsContract = (name: string, open: () => Promise<KeyRingPlace>): void => {
  describe(`${name} as the place of a key ring`, () => {
    let another: KeyRingPlace['another'];
    let kept: KeyRingPlace['kept'];
    let rings: KeyRings;

    beforeEach(async () => {
      ({ another, kept } = await open());
      rings = another();
    });

    test('is empty to begin with', async () => {
      expect((await rings.read()).ring).toEqual([]);
    });

    test('gives back what was saved, to everybody and the private parts too', async () => {
      expect(await rings.save(aRing('a'), await rings.read())).toBe(true);
      for (const reader of [rings, another()]) expect((await reader.read()).ring).toEqual(aRing('a'));
      expect(await rings.save(aRing('b'), await rings.read())).toBe(true);
      for (const reader of [rings, another()]) expect((await reader.read()).ring).toEqual(aRing('b'));
    });

    test('refuses what was made of a ring that has changed since, and keeps the change', async () => {
      for (const [first, second] of ['ab', 'cd']) {
        const read = await rings.read();
        expect(await another().save(aRing(first as string), read)).toBe(true);
        expect(await rings.save(aRing(second as string), read)).toBe(false);
        expect((await rings.read()).ring).toEqual(aRing(first as string));
      }
    });

    test('of many changes at once takes exactly one', async () => {
      const read = await rings.read();
      const saved = await Promise.all([...'abcdef'].map((letter) => another().save(aRing(letter), read)));
      expect(saved.filter(Boolean)).toHaveLength(1);
      expect((await rings.read()).ring).toEqual(aRing('abcdef'[saved.indexOf(true)] as string));
    });

    test('leaves no private part of a ring that was replaced', async () => {
      for (const letter of 'abc') expect(await another().save(aRing(letter), await rings.read())).toBe(true);
      for (const letter of 'CN') {
        expect(await kept()).toContain(part('c', letter));
        for (const before of 'ab') expect(await kept()).not.toContain(part(before, letter));
      }
    });

    test('is read whole while it changes', async () => {
      await rings.save(aRing('a'), await rings.read());
      const changes = async () => {
        for (const letter of 'bcdefghijk') await rings.save(aRing(letter), await rings.read());
      };
      const changed = changes();
      for (let n = 0; n < 20; n++) expect((await another().read()).ring).toHaveLength(3);
      await changed;
    });

    test('lets nobody keep what was read for more than a minute', () => {
      expect(rings.keptFor).toBeGreaterThanOrEqual(0);
      expect(rings.keptFor).toBeLessThanOrEqual(60_000);
    });
  });
};
