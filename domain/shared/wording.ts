import { type Instant, millis } from './instant.ts';
import type { Language } from './language.ts';

/* Days, moments and sizes in the words of a language, the same on pages and in messages. */

/** The tag for dates: in English, the day stands before the month. */
export const dateTag = (language: Language): string => (language === 'en' ? 'en-GB' : language);

/** A day, as UTC or another time zone counts it. In French, the first of a month is an ordinal, which CLDR leaves out. */
export const dayText = (language: Language, instant: Instant, timeZone = 'UTC'): string => {
  const text = new Intl.DateTimeFormat(dateTag(language), { dateStyle: 'long', timeZone }).format(millis(instant));
  return language === 'fr' ? text.replace(/^1 /, '1er ') : text;
};

/** The parts of a moment, short enough for one line on a phone. */
export const MOMENT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

/** A moment to the minute, with the name of the time zone. */
export const momentText = (language: Language, instant: Instant, timeZone = 'UTC'): string =>
  new Intl.DateTimeFormat(dateTag(language), { ...MOMENT, timeZone }).format(millis(instant));

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A number of bytes, such as `12.3 MB`. A kilobyte has 1000 bytes. */
export const sizeText = (language: Language, bytes: number): string => {
  const step = Math.min(SIZES.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)));
  const unit = {
    style: 'unit',
    unit: SIZES[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  } as const;
  return new Intl.NumberFormat(language, unit).format(bytes / 1000 ** step);
};
