import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizedEmail } from '../../../domain/accounts/account.ts';

describe('the form under which an e-mail address is unique', () => {
  test('an ASCII address is the same in any case and among spaces', () => {
    const ascii = fc.string({ unit: 'binary-ascii' }).map((text) => text.trim());
    fc.assert(
      fc.property(ascii, (email) => {
        expect(normalizedEmail(` ${email.toUpperCase()} `)).toBe(email.toLowerCase());
      }),
    );
  });

  test.each(['\u212a', '\u0130', '\uff2b', '\u017f', 'Ä'])('%j stays another letter than each of ASCII', (letter) => {
    expect(normalizedEmail(`A${letter}@Example.com`)).toBe(`a${letter}@example.com`);
  });
});
