import Negotiator from 'negotiator';
import { LOCALES, type Locale } from '../../domain/shared/locale.ts';

/** The most characters of Accept-Language to read. Browsers send fewer than 100, and more would only cost time. */
const LONGEST = 256;

/** The supported language that the client prefers (RFC 9110, section 12.5.4); English if it names none of them. */
export const localeOf = (acceptLanguage: string | undefined): Locale => {
  if (acceptLanguage === undefined || acceptLanguage === '*') return 'en';
  const header = acceptLanguage.length > LONGEST ? upToComma(acceptLanguage.slice(0, LONGEST)) : acceptLanguage;
  const [first] = new Negotiator({ headers: { 'accept-language': header } }).languages([...LOCALES]);
  return (first as Locale | undefined) ?? 'en';
};

/** The text without its last entry, which was cut off. */
const upToComma = (text: string): string => text.slice(0, Math.max(0, text.lastIndexOf(',')));
