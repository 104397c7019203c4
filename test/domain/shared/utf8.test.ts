import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginningOf, utf8Length } from '../../../domain/shared/plain-text.ts';

const text = fc.string({ unit: 'binary', maxLength: 50 });

test('the UTF-8 length of a text equals its number of bytes', () => {
  fc.assert(fc.property(text, (one) => utf8Length(one) === Buffer.byteLength(one)));
  expect(utf8Length('\ud800')).toBe(3);
});

test('the beginning of a text is as long as the byte limit allows and ends with a whole character', () => {
  fc.assert(
    fc.property(text, fc.nat(60), (one, most) => {
      const beginning = beginningOf(one, most);
      expect(one.startsWith(beginning)).toBe(true);
      expect(beginning.isWellFormed()).toBe(one.isWellFormed());
      expect(utf8Length(beginning)).toBeLessThanOrEqual(most);
      const [next] = one.slice(beginning.length);
      if (next !== undefined) expect(utf8Length(beginning + [...one.slice(beginning.length)][0])).toBeGreaterThan(most);
    }),
  );
});

test('the bytes of a character increase at the limits of UTF-8', () => {
  const bounds = [0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000];
  expect(bounds.map((code) => utf8Length(String.fromCodePoint(code)))).toEqual([1, 2, 2, 3, 3, 4]);
});
