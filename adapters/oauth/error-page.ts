import type { IncomingMessage } from 'node:http';
import type { Locale } from '../../domain/shared/locale.ts';

export type ErrorInfo = { readonly error: string; readonly error_description: string; readonly locale: Locale };

/** Makes the page that a person sees where an application can't be let in. */
export type RenderError = (info: ErrorInfo) => string;

/** The page for an error, in the language of the request's browser. */
export type ErrorPage = (
  req: IncomingMessage,
  error: Omit<ErrorInfo, 'locale'>,
) => { readonly html: string; readonly locale: Locale };

/** The headers of a page that asks for nothing and may be framed by nobody. */
export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;
