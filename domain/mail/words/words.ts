import type { Language } from '../../shared/language.ts';
import { german } from './de.ts';
import { english, type MailWords } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { japanese } from './ja.ts';
import { korean } from './ko.ts';

/** The words of messages to buyers in each language. */
export const MAIL_WORDS: Readonly<Record<Language, MailWords>> = {
  en: english,
  ko: korean,
  de: german,
  fr: french,
  es: spanish,
  ja: japanese,
};
