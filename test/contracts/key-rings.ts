import { beforeEach, describe, expect, test } from 'vitest';
import type { PolicyKeyRing } from '../../domain/policy/key-ring.ts';
import type { KeyRings } from '../../ports/outbound/policy-keys.ts';

const NOW = '2026-11-21T08:00:00.000Z';
const part = (letter: string): string => letter.repeat(43);

/** A ring with a key in use, an old and a next one, whose names begin with a letter of one's own. */
const aRing = (letter: string): PolicyKeyRing => [
  { kid: `${letter}${part('o').slice(1)}`, x: part('o'), d: null, created_at: NOW, current_from: NOW },
  { kid: `${letter}${part('c').slice(1)}`, x: part('c'), d: part('c'), created_at: NOW, current_from: NOW },
  { kid: `${letter}${part('n').slice(1)}`, x: part('n'), d: part('n'), created_at: NOW, current_from: null },
];

/**
 * Registers, in a vitest file, what every place that keeps the keys of the client policy has to pass. `open` makes an
 * empty place, and gives what speaks to it: each of them as another process would.
 */
export const keyRingsContract = (name: string, open: () => Promise<() => KeyRings>): void => {
  describe(`${name} as the place of a key ring`, () => {
    let another: () => KeyRings;
    let rings: KeyRings;

    beforeEach(async () => {
      another = await open();
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

    test('lets nobody keep what was read for more than a minute', () => {
      expect(rings.keptFor).toBeGreaterThanOrEqual(0);
      expect(rings.keptFor).toBeLessThanOrEqual(60_000);
    });
  });
};
