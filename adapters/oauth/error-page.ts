import type { IncomingMessage } from 'node:http';
import type { Locale } from '../../domain/shared/locale.ts';

export type ErrorInfo = { readonly error: string; readonly error_description: string; readonly locale: Locale };

/** Makes the page that a person sees where an application can't be let in. */
export type RenderError = (info: ErrorInfo) => string;

/** The first of our languages that the browser names. */
export const localeOf = ({ headers }: IncomingMessage): Locale => {
  const named = (headers['accept-language'] ?? '').toLowerCase().match(/\b(?:ko|en)\b/);
  return named?.[0] === 'ko' ? 'ko' : 'en';
};

/** The headers of a page that asks for nothing and may be framed by nobody. */
export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;
