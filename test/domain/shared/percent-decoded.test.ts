import fc from 'fast-check';
import { expect, test } from 'vitest';
import { percentDecoded } from '../../../domain/shared/plain-text.ts';

test.each([
  ['caf%C3%A9', 'café'],
  ['%eb%8f%84구', '도구'],
  ['100%', '100%'],
  ['%zz%2', '%zz%2'],
  ['%25ff', '%ff'],
  ['a+b', 'a+b'],
])('the encoded text %s decodes to %s', (text, decoded) => expect(percentDecoded(text)).toBe(decoded));

test.each(['%ff', 'caf%E9', 'a%C3', '%ED%A0%80', '%C0%80', '%%ff'])('the encoded text %s is invalid', (text) =>
  expect(percentDecoded(text)).toBeUndefined());

test('every text decodes to the text that was encoded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(percentDecoded(encodeURIComponent(text))).toBe(text);
    }),
  );
});
