import type { IncomingMessage } from 'node:http';
import type { Locale } from '../../domain/shared/locale.ts';

export type ErrorInfo = { readonly error: string; readonly error_description: string; readonly locale: Locale };

/** Makes the page that a person sees where an application can't be let in. */
export type RenderError = (info: ErrorInfo) => string;

const TEXTS = {
  en: { title: 'This sign-in cannot go on', advice: 'Go back to the application and start again.' },
  ko: { title: '로그인을 계속할 수 없습니다', advice: '애플리케이션으로 돌아가서 다시 시작해 주세요.' },
} as const;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** A page without styles, for a host that has no pages of its own. */
export const plainErrorPage: RenderError = ({ error, error_description, locale }) => {
  const { title, advice } = TEXTS[locale];
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${advice}</p><p>${escaped(error)}: ${escaped(error_description)}</p></main></body>
</html>
`;
};

/** The first of our languages that the browser names. */
export const localeOf = ({ headers }: IncomingMessage): Locale => {
  const named = (headers['accept-language'] ?? '').toLowerCase().match(/\b(?:ko|en)\b/);
  return named?.[0] === 'ko' ? 'ko' : 'en';
};

/** The headers of a page that asks for nothing and may be framed by nobody. */
export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;
