import { html } from 'hono/html';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import type { Html } from './pieces.ts';

/* Moments in words. */

type Reader = { readonly locale: Locale };

const LANGUAGE_TAG: Readonly<Record<Locale, string>> = { en: 'en-GB', ko: 'ko-KR' };

/** A day in words, as UTC counts it, with the exact moment for machines. */
export const day = ({ locale }: Reader, instant: Instant): Html =>
  html`<time datetime="${instant}">${dayText(locale, instant)}</time>`;

/** A day in words, as UTC counts it. */
export const dayText = (locale: Locale, instant: Instant): string =>
  new Intl.DateTimeFormat(LANGUAGE_TAG[locale], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(instant));

/** A moment in UTC, short enough for one line of a telephone. */
export const moment = ({ locale }: Reader, instant: Instant): Html => {
  const format = new Intl.DateTimeFormat(LANGUAGE_TAG[locale], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return html`<time datetime="${instant}">${format.format(new Date(instant))} UTC</time>`;
};
