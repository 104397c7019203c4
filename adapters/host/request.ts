import type { Readable } from 'node:stream';
import Negotiator from 'negotiator';
import { LOCALES, type Locale } from '../../domain/shared/locale.ts';

/** Headers by lower-case name. Several lines of one header are joined as HTTP joins them (RFC 9110, section 5.3). */
export type HostHeaders = Readonly<Record<string, string | undefined>>;

/** A request, the same for every runtime. Mounts make it. */
export type HostRequest = {
  readonly method: string;
  /** Percent-encoded, from the first slash on, without the query. */
  readonly path: string;
  /** The part after the question mark; empty if there is none. */
  readonly query: string;
  readonly headers: HostHeaders;
  /** The client's network address, as the runtime or a trusted proxy names it; computed only when needed. */
  readonly address: () => string;
  /** Bytes of the body: 0 for a request without one, undefined if the length is not known before the end. */
  readonly length: number | undefined;
  /** The body, whole or as a stream. Called at most once, and never for a request that is refused first. */
  readonly body: () => Uint8Array | Readable;
};

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

/** The headers that pass, besides all that begin with `X-`. */
const PASSED = new Set(['authorization', 'content-type', 'accept', 'accept-language', 'user-agent']);

/** The headers of the message itself, which a forwarder sets again. */
const FRAME = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** The headers, by lower-case name, that the legacy host passes on to the API host. */
export const legacyHeaders = <V>(headers: Readonly<Record<string, V>>): Record<string, V> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => PASSED.has(name) || name.startsWith('x-') || FRAME.has(name)),
  );
