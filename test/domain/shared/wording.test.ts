import { expect, test } from 'vitest';
import { dayText, sizeText } from '../../../domain/shared/wording.ts';

test.each([
  ['fr', '2026-02-01', '1er février 2026'],
  ['fr', '2026-02-11', '11 février 2026'],
  ['en', '2026-02-01', '1 February 2026'],
] as const)('a day in %s has its usual form (%s)', (language, date, text) => {
  expect(dayText(language, `${date}T00:00:00.000Z`)).toBe(text);
});

test('a size has its unit in the plural', () => {
  expect([sizeText('en', 1), sizeText('en', 9), sizeText('en', 62_914_560)]).toEqual(['1 byte', '9 bytes', '62.9 MB']);
});
