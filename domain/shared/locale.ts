export const LOCALES = ['en', 'ko'] as const;
export type Locale = (typeof LOCALES)[number];

export const isLocale = (text: string): text is Locale => (LOCALES as readonly string[]).includes(text);

/** A text in one or both languages. */
export type Localized<T = string> = { readonly [L in Locale]?: T | undefined };

/** The value in the wished language, else in the other one, else undefined. */
export const inLocale = <T>(text: Localized<T>, locale: Locale): T | undefined =>
  text[locale] ?? text[locale === 'en' ? 'ko' : 'en'];

/** The language of the value that `inLocale` returns; null where there is none. */
export const localeServed = (text: Localized<unknown>, locale: Locale): Locale | null => {
  if (text[locale] !== undefined) return locale;
  const other = locale === 'en' ? 'ko' : 'en';
  return text[other] === undefined ? null : other;
};
