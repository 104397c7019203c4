import { isLocale, type Locale } from './locale.ts';

/**
 * The languages of people, each by its own name: those of the buyers' pages and of messages to buyers. The API speaks
 * only the languages of `LOCALES`.
 */
export const LANGUAGE_NAMES = {
  en: 'English',
  ko: '한국어',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
} as const;

export type Language = keyof typeof LANGUAGE_NAMES;
export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as [Language, ...Language[]];

export const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGE_NAMES, text);

/** The language of texts that exist only in those of the API, such as the names of products. */
export const localeFor = (language: Language): Locale => (isLocale(language) ? language : 'en');

/** The languages of a shop that chose none. More would promise that the shop answers in them, too. */
const USUAL: readonly Language[] = ['en', 'ko'];

type Offering = { readonly languages?: readonly Language[] | undefined } | null;

/** The languages that a shop offers, from the one for people who prefer none of them. */
export const languagesOf = (shop: Offering): readonly Language[] => shop?.languages ?? USUAL;

/** The first of these languages that the shop offers, else the shop's first language. */
export const offeredLanguage = (shop: Offering, asked: readonly (Language | null | undefined)[]): Language => {
  const offered = languagesOf(shop);
  return asked.find((language) => language && offered.includes(language)) ?? (offered[0] as Language);
};
