import type { Readable } from 'node:stream';
import Negotiator from 'negotiator';
import { LOCALES, type Locale } from '../../domain/shared/locale.ts';

/** Headers by lower-case name. Repeated headers are joined as HTTP joins them (RFC 9110, section 5.3). */
export type HostHeaders = Readonly<Record<string, string | undefined>>;

/** A request in the form that all mounts create, whatever the runtime. */
export type HostRequest = {
  readonly method: string;
  /** Percent-encoded, from the first slash on, without the query. */
  readonly path: string;
  /** The part after the question mark; empty if there is none. */
  readonly query: string;
  readonly headers: HostHeaders;
  /** The client's IP address, as the runtime or a trusted proxy reports it; computed only when needed. */
  readonly address: () => string;
  /** The length of the body in bytes: 0 for a request without one, undefined if the length is not known in advance. */
  readonly length: number | undefined;
  /** The body, whole or as a stream. Called at most once, and never for a request that is refused first. */
  readonly body: () => Uint8Array | Readable;
};

/**
 * The maximum length of Accept and Accept-Language to read. Browsers send fewer than 100 characters, and more would only cost
 * time.
 */
const LONGEST = 256;

/** The offered language that the client prefers (RFC 9110, section 12.5.4); the first if it names none of them. */
export const preferredLanguage = <L extends string>(acceptLanguage: string | undefined, offered: readonly L[]): L => {
  const usual = offered[0] as L;
  if (acceptLanguage === undefined || acceptLanguage === '*') return usual;
  const header = acceptLanguage.length > LONGEST ? upToComma(acceptLanguage.slice(0, LONGEST)) : acceptLanguage;
  const [first] = new Negotiator({ headers: { 'accept-language': header } }).languages([...offered]);
  return (first as L | undefined) ?? usual;
};

/** The language of the API that the client prefers; English if it names none of them. */
export const localeOf = (acceptLanguage: string | undefined): Locale => preferredLanguage(acceptLanguage, LOCALES);

/**
 * Whether the client prefers JSON to a page (RFC 9110, section 12.5.1); `byDefault` where it prefers neither, as `curl`
 * does.
 */
export const prefersJson = (accept: string | undefined, byDefault: boolean): boolean => {
  const types = byDefault ? ['application/json', 'text/html'] : ['text/html', 'application/json'];
  const header = (accept ?? '*/*').slice(0, LONGEST);
  return (new Negotiator({ headers: { accept: header } }).mediaType(types) ?? types[0]) === 'application/json';
};

/** The text without its last entry, which may be cut. */
const upToComma = (text: string): string => text.slice(0, Math.max(0, text.lastIndexOf(',')));

/** The headers that pass, in addition to all that begin with `X-`. */
const PASSED = new Set(['authorization', 'content-type', 'accept', 'accept-language', 'user-agent']);

/** The headers of the message itself, which a forwarder sets itself. */
const FRAME = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** The headers, by lower-case name, that the legacy host passes on to the API host. */
export const legacyHeaders = <V>(headers: Readonly<Record<string, V>>): Record<string, V> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => PASSED.has(name) || name.startsWith('x-') || FRAME.has(name)),
  );
