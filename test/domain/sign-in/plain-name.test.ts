import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainName } from '../../../domain/shared/plain-text.ts';
import { deviceName } from '../../../domain/sign-in/device-sign-in.ts';

describe('a name on one line', () => {
  test.each([
    ['a\nb\u2028c\u0000', 'a b c'],
    ['\u202egnp.exe\u2066', 'gnp.exe'],
    ['pay\u200bpal\ufeff', 'pay pal'],
    ['  Work  laptop ', 'Work  laptop'],
    ['한글 이름', '한글 이름'],
    ['\ud800x', 'x'],
    ['\n\t \u200b', null],
    ['\u3164\u2800', null],
    ['', null],
  ])('%j becomes %j', (text, name) => {
    expect(plainName(text, 100)).toBe(name);
    expect(deviceName(text)).toBe(name);
  });

  test('a name has no control or format characters, no surrounding space and at most the allowed characters', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\u0000', '\u202e', '\u200b', '\u2029', '😀', '\ud800') });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (from, most) => {
        const name = plainName(from, most);
        if (name === null) return;
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(name).toBe(name.trim());
        expect([...name].length).toBeLessThanOrEqual(most);
        expect(plainName(name, most)).toBe(name);
      }),
    );
  });
});
