import type { IncomingMessage } from 'node:http';
import type { Locale } from '../../../domain/shared/locale.ts';
import { localeOf } from '../../host/request.ts';
import { languageNamed } from '../shared/language.ts';
import type { SentCookies } from './cookies.ts';

/** The language of a page: from the link, else from the person's choice, else from the browser. */
export const languageFor = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  query: URLSearchParams,
  { language }: SentCookies,
): Locale => languageNamed(query.get('lang')) ?? languageNamed(language) ?? localeOf(headers['accept-language']);
