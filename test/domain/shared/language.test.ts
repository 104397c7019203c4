import { expect, test } from 'vitest';
import { type Language, languagesOf, localeFor, offeredLanguage } from '../../../domain/shared/language.ts';

type Asked = Language | null | undefined;
const FRONT = { product_url: null, product_detail_url: null };

test.each<[string, readonly Language[] | undefined, readonly Asked[], Language]>([
  ['what the message asks for', undefined, ['ko', 'en'], 'ko'],
  ['what the account prefers', ['en', 'de'], [null, 'de', 'en'], 'de'],
  ['what the shop speaks, where nobody said more', ['en', 'de'], [null, undefined, 'de'], 'de'],
  ['the first language, where the shop does not offer the input', ['de', 'en'], ['ko'], 'de'],
  ['English, where a shop chose no languages', undefined, ['de', null, undefined], 'en'],
])('a message is in the first requested language that the shop offers: %s', (_, languages, asked, expected) => {
  expect(offeredLanguage({ ...FRONT, languages }, asked)).toBe(expected);
});

test('a store without a storefront offers English and Korean, and German fields fall back to the shop’s texts', () => {
  expect(languagesOf(null)).toEqual(['en', 'ko']);
  expect((['en', 'ko', 'de'] as const).map(localeFor)).toEqual(['en', 'ko', 'en']);
});
