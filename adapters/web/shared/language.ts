import { LOCALES, type Locale } from '../../../domain/shared/locale.ts';

export const languageNamed = (tag: string | null | undefined): Locale | undefined =>
  LOCALES.find((locale) => locale === tag);
