import { describe, expect, test } from 'vitest';
import { MESSAGES } from '../../../adapters/web/account/messages/messages.ts';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { MAIL_WORDS } from '../../../domain/mail/words/words.ts';
import { LANGUAGES, type Language } from '../../../domain/shared/language.ts';

/**
 * The texts that a language shares with English: identical words, and proper names. Any other text equal to the English
 * one was not translated.
 */
const SAME: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  ko: [],
  de: [
    'pages.nav.apps',
    'pages.nav.support',
    'pages.apps.title',
    'pages.support.title',
    'pages.shop.label',
    'pages.shop.website',
    'pages.orders.status',
    'pages.library.updates',
    'pages.library.edition',
    'pages.teams.title',
    'pages.library.sorts.name',
    'pages.library.open',
    'pages.library.downloads',
    'pages.keys.name',
    'pages.profile.name',
    'pages.passkeys.title',
    'pages.passkeys.name',
    'pages.device.code',
    'pages.consent.app',
    'pages.consent.site',
  ],
  fr: [
    'pages.nav.apps',
    'pages.apps.title',
    'pages.guides.title',
    'pages.shop.support',
    'pages.orders.date',
    'pages.orders.total',
    'pages.library.active',
    'pages.library.pages',
    'pages.guides.title',
    'pages.labels.grant.active',
    'pages.device.code',
    'pages.support.kind.general',
    'pages.support.messages',
    'mails.sale.date',
    'mails.sale.total',
  ],
  es: ['pages.nav.apps', 'pages.apps.title', 'pages.guides.kinds.manual'],
  ja: [],
};

/** Proper names may be identical. */
const NAMES = /^pages\.(?:platforms\.|orders\.means\.)/;

/** The script that each text of a language must contain, unless it is a name. */
const LETTERS: { readonly [L in Language]?: RegExp } = { ko: /[가-힣]/, ja: /[ぁ-んァ-ヶ一-龯]/ };

/** Placeholders for the parameters. Each is a number, so that a text can count it. */
const MARKS = ['71', '72', '73'];

/**
 * Every text by its name. A text with parameters is rendered with placeholders, and once for each optional parameter
 * without it.
 */
const textsOf = (texts: object, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([name, text]): [string, string][] => {
    const key = path === '' ? name : `${path}.${name}`;
    if (typeof text === 'function') return [[key, text(...MARKS)], ...absentOf(key, text)];
    return typeof text === 'string' ? [[key, text]] : textsOf(text, key);
  });

/** The parameters that may be null or undefined. */
const ABSENT: Readonly<Record<string, readonly unknown[]>> = {
  'pages.browser': [''],
  'pages.orders.included': [undefined],
  'pages.orders.noInvoice': [null],
  'pages.library.devicesUsed': ['71', null],
  'pages.devices.used': ['71', null],
};

const absentOf = (key: string, text: (...values: readonly unknown[]) => string): [string, string][] =>
  ABSENT[key] ? [[`${key} without`, text(...ABSENT[key])]] : [];

const allOf = (language: Language): ReadonlyMap<string, string> =>
  new Map(textsOf({ pages: MESSAGES[language], mails: MAIL_WORDS[language] }));

const marksIn = (text: string): readonly string[] => MARKS.filter((mark) => text.includes(mark));

const ENGLISH = allOf('en');

const SECTIONS = ['library', 'orders', 'devices', 'apps', 'support', 'security', 'profile'] as const;

test.each(LANGUAGES)('each page in %s has the word of its tab as its title', (language) => {
  const { nav, ...pages } = MESSAGES[language];
  expect(Object.fromEntries(SECTIONS.map((section) => [section, pages[section].title]))).toEqual(nav);
});

describe.each(LANGUAGES.filter((language) => language !== 'en'))('the texts in %s', (language) => {
  const own = allOf(language);

  test('the texts match the English pages and messages without gaps or extras', () => {
    expect([...own.keys()].toSorted()).toEqual([...ENGLISH.keys()].toSorted());
  });

  test('the texts are not empty and have the English parameters', () => {
    const wrong = [...own].filter(([key, text]) => {
      const english = ENGLISH.get(key) ?? '';
      return text.trim() === '' || /undefined|null|NaN/.test(text) || `${marksIn(text)}` !== `${marksIn(english)}`;
    });
    expect(wrong).toEqual([]);
  });

  test('the texts are translated, except for words that stay the same', () => {
    const letters = LETTERS[language] ?? /\S/;
    const untold = [...own].filter(([key, text]) => {
      if (NAMES.test(key) || SAME[language].includes(key) || !/\p{L}/u.test(text)) return false;
      return text === ENGLISH.get(key) || !letters.test(text);
    });
    expect(untold.map(([key, text]) => `${key}: ${text}`)).toEqual([]);
    expect(SAME[language].filter((key) => own.get(key) !== ENGLISH.get(key))).toEqual([]);
  });

  test('the texts explain every ability', () => {
    expect(Object.keys(MESSAGES[language].abilities).toSorted()).toEqual([...ABILITIES].toSorted());
  });
});
