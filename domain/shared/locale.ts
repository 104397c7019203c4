import { isBlank } from './plain-text.ts';

export const LOCALES = ['en', 'ko'] as const;
export type Locale = (typeof LOCALES)[number];

export const isLocale = (text: string): text is Locale => (LOCALES as readonly string[]).includes(text);

/** A text in one or both languages. */
export type Localized<T = string> = { readonly [L in Locale]?: T | undefined };

const isMissing = (value: unknown): boolean => value === undefined || (typeof value === 'string' && isBlank(value));

/** The text, or null if it is blank. */
export const textOrNull = (text: string | null): string | null => (text === null || isBlank(text) ? null : text);

/** The language of the value that `inLocale` returns; null if there is none. A blank text counts as none. */
export const localeServed = (text: Localized<unknown>, locale: Locale): Locale | null => {
  if (!isMissing(text[locale])) return locale;
  const other = locale === 'en' ? 'ko' : 'en';
  return isMissing(text[other]) ? null : other;
};

/** The text in the requested language, else in the other language, else undefined. A blank text counts as none. */
export const inLocale = <T>(text: Localized<T>, locale: Locale): T | undefined => {
  const served = localeServed(text, locale);
  return served === null ? undefined : text[served];
};
