import type { IncomingMessage } from 'node:http';
import type { Language } from '../../../domain/shared/language.ts';
import { preferredLanguage } from '../../host/request.ts';
import { languageNamed } from '../shared/language.ts';
import type { SentCookies } from './cookies.ts';

/** The language of a page, of those that the site offers: from the link, else from the person's choice, else from the browser. */
export const languageFor = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  query: URLSearchParams,
  { language }: SentCookies,
  offered: readonly Language[],
): Language => {
  return (
    languageNamed(query.get('lang'), offered) ??
    languageNamed(language, offered) ??
    preferredLanguage(headers['accept-language'], offered)
  );
};
