import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deviceIdOf } from '../../../domain/devices/seat.ts';
import { canName, cleanText, isBlank, isLine } from '../../../domain/shared/plain-text.ts';

describe('a text on one line', () => {
  test.each(['1.0', '기기 1', '😀', ' a ', 'ä', ''])('the text %j is plain', (text) => expect(isLine(text)).toBe(true));

  test.each([
    'a\u0000',
    '\u001b[31m',
    'a\nb',
    'a\tb',
    '\u007f',
    '\u0085',
    '\ud800',
    'a\udc00b',
    'a\u2028b',
    'a\u2029b',
  ])('%j is not plain', (text) => expect(isLine(text)).toBe(false));
});

describe('a blank text', () => {
  test.each([
    '',
    ' \t\n',
    '\u00a0\u3000',
    '\u200b\u2060',
    '\ufeff',
    '\u00ad',
    '\u3164\u115f',
    '\u2800',
    '\u{e0001}',
  ])('the text %j is blank', (text) => expect(isBlank(text)).toBe(true));

  test.each(['a', ' a ', '.', '한\u200b', '❤\ufe0f', '\u0000', '\ufffd'])('the text %j is visible', (text) =>
    expect(isBlank(text)).toBe(false));
});

test('a text of up to 900 bytes without half of a surrogate pair can name a record', () => {
  expect(['한'.repeat(300), '한'.repeat(301), '\ud83d\ude00', '\ud83d'].map(canName)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('a blank device id is refused', () => expect(deviceIdOf('\u200b\u3164')).toBeNull());

describe('a cleaned text', () => {
  test('a cleaned text keeps its lines and tabs, and loses other control characters', () => {
    expect(cleanText('a\tb\r\nc\u0000d\u001b[31me\u0085f')).toBe('a\tb\r\ncd[31mef');
  });

  test('a cleaned text is well-formed and has no other control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\u0000', '\u009f'), (text, bad) => {
        const clean = cleanText(`${text}${bad}${text}`);
        expect(clean.isWellFormed()).toBe(true);
        expect(isLine(clean.replace(/[\t\n\r\u2028\u2029]/g, ''))).toBe(true);
        expect(cleanText(clean)).toBe(clean);
      }),
    );
  });
});

describe('a device id', () => {
  test('a device id is the same however its letters are composed', () => {
    for (const form of ['NFC', 'NFD'] as const) expect(deviceIdOf('한글 맥북'.normalize(form))).toBe('한글 맥북');
  });

  test('device ids that differ in case or spaces stay different', () => {
    expect(new Set(['a', 'A', ' a', 'a '].map(deviceIdOf)).size).toBe(4);
  });

  test.each([
    '',
    '   ',
    '\u00a0',
    'a\u0000',
    '\ud83d',
    'a\nb',
    'a\u2028b',
    'x'.repeat(256),
  ])('the text %j is not a device id', (text) => {
    expect(deviceIdOf(text)).toBeNull();
  });
});
