import { html } from 'hono/html';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import type { Html } from './pieces.ts';

/* Dates, times and sizes in words. */

type Reader = { readonly locale: Locale };

const LANGUAGE_TAG: Readonly<Record<Locale, string>> = { en: 'en-GB', ko: 'ko-KR' };

/** A day in words in UTC, with the exact moment for machines. */
export const day = ({ locale }: Reader, instant: Instant): Html =>
  html`<time datetime="${instant}">${dayText(locale, instant)}</time>`;

/** A day in words, in UTC or another time zone. */
export const dayText = (locale: Locale, instant: Instant, timeZone = 'UTC'): string =>
  new Intl.DateTimeFormat(LANGUAGE_TAG[locale], { dateStyle: 'long', timeZone }).format(new Date(instant));

/** A moment in UTC, short enough for one line on a phone. */
export const moment = ({ locale }: Reader, instant: Instant): Html => {
  const format = new Intl.DateTimeFormat(LANGUAGE_TAG[locale], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return html`<time datetime="${instant}">${format.format(new Date(instant))} UTC</time>`;
};

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size in words, such as `12.3 MB`. A kilobyte is 1000 bytes. */
export const sizeText = (locale: Locale, bytes: number): string => {
  const step = Math.min(SIZES.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)));
  const unit = { style: 'unit', unit: SIZES[step], maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(LANGUAGE_TAG[locale], unit).format(bytes / 1000 ** step);
};
