import { LOCALES, type Locale } from '../../../domain/shared/locale.ts';

/** The supported language with this tag. */
export const languageNamed = (tag: string | null | undefined): Locale | undefined =>
  LOCALES.find((locale) => locale === tag);
