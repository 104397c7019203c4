import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MESSAGES as ACCOUNT } from '../../../adapters/web/account/messages/messages.ts';
import { en } from '../../../adapters/web/gallery/messages/en.ts';
import { ko } from '../../../adapters/web/gallery/messages/ko.ts';
import { LANGUAGES, type Language } from '../../../domain/shared/language.ts';

/** Every text of the pages that counts something. */
const counting = (language: Language): readonly ((count: number) => string)[] => {
  const { keys, security, errors } = ACCOUNT[language];
  const own = [keys.quota, security.nextHint, errors.tooManyAttempts, errors.tooManyText];
  if (language !== 'en' && language !== 'ko') return own;
  const { count, explore, appList, documents, errors: galleryErrors } = { en, ko }[language];
  return [
    ...own,
    count,
    explore.found,
    appList.flows,
    documents.added,
    documents.removed,
    documents.unchanged,
    galleryErrors.tooManyText,
  ];
};

test('in English, every counting text has its singular for one and its plural for other numbers', () => {
  for (const text of counting('en')) {
    expect(text(1)).not.toMatch(/\b1 (?:live |matching )?\w+s\b/);
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 999 }), (many) => {
        expect(text(many)).toBe(text(2).replace('2', String(many)));
      }),
    );
  }
});

test('in every language, a counting text shows the number', () => {
  for (const text of LANGUAGES.flatMap(counting)) {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), (many) => {
        expect(text(many)).toContain(String(many));
      }),
    );
  }
});
