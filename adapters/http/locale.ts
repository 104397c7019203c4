import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { LOCALES, type Locale } from '../../domain/shared/locale.ts';

/** The language that the client likes best of those there are (RFC 9110 §12.5.4); English where it doesn't say. */
export const locale = (req: IncomingMessage): Locale => {
  const header = req.headers['accept-language'];
  if (header === undefined || header === '*') return 'en';
  const [first] = new Negotiator(req).languages([...LOCALES]);
  return (first as Locale | undefined) ?? 'en';
};
