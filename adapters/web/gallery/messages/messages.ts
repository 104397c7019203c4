import type { Locale } from '../../../../domain/shared/locale.ts';
import { en, type Messages } from './en.ts';
import { ko } from './ko.ts';

/** The texts of the pages in each language. */
export const MESSAGES: Readonly<Record<Locale, Messages>> = { en, ko };
