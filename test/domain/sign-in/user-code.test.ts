import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  plainUserCode,
  shownUserCode,
  USER_CODE_LENGTH,
  USER_CODE_LETTERS,
} from '../../../domain/sign-in/device-sign-in.ts';

const aCode = fc.string({
  unit: fc.constantFrom(...USER_CODE_LETTERS),
  minLength: USER_CODE_LENGTH,
  maxLength: USER_CODE_LENGTH,
});

test('a user code has eight of twenty consonants, none of which is a vowel or looks like a digit', () => {
  expect([...new Set(USER_CODE_LETTERS)]).toHaveLength(20);
  expect(USER_CODE_LETTERS).not.toMatch(/[AEIOUY0-9]/);
  expect(shownUserCode('BCDFGHJK')).toBe('BCDF-GHJK');
});

test('a user code is understood in either case, with any spaces and dashes', () => {
  const separated = fc.tuple(aCode, fc.array(fc.constantFrom(' ', '-', '–', '\u00a0', '\t', ''), { maxLength: 9 }));
  fc.assert(
    fc.property(separated, fc.boolean(), ([code, between], lower) => {
      const typed = [...code].map((letter, n) => `${between[n] ?? ''}${letter}`).join('');
      expect(plainUserCode(lower ? typed.toLowerCase() : typed)).toBe(code);
    }),
  );
});

test.each([
  ['an empty text', ''],
  ['a code that is too short', 'BCDF-GHJ'],
  ['a code that is too long', 'BCDF-GHJKL'],
  ['a code with a vowel', 'BCDF-GHJA'],
  ['a code with a digit', 'BCDF-GHJ1'],
  ['a code among many spaces', `BCDF${' '.repeat(1000)}GHJK`],
])('the text %s cannot be a user code', (_, typed) => {
  expect(plainUserCode(typed)).toBeUndefined();
});

test('no text gives a user code with other letters or another length', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20, unit: 'binary' }), (typed) => {
      const plain = plainUserCode(typed);
      expect(plain === undefined || /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(plain)).toBe(true);
    }),
  );
});

test('at most 64 characters of a typed user code are read', () => {
  expect(plainUserCode(`BCDF${' '.repeat(56)}GHJK`)).toBe('BCDFGHJK');
  expect(plainUserCode(`BCDF${' '.repeat(57)}GHJK`)).toBeUndefined();
});
