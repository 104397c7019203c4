import { LOOPBACK } from '../shared/loopback.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';

/** A private-use scheme is a reversed domain name, such as `com.example.app:` (RFC 8252, section 7.1). */
const REVERSE_DOMAIN = /^[a-z][a-z\d-]*(?:\.[a-z\d-]+)+:$/;

/** Schemes of well-known MCP clients that are not domain names. */
const CLIENT_SCHEMES = new Set([
  'cursor:',
  'jetbrains:',
  'raycast:',
  'vscode:',
  'vscode-insiders:',
  'vscodium:',
  'warp:',
  'windsurf:',
  'zed:',
]);

const MAX_LENGTH = 2000;

export type RedirectKind = 'web' | 'loopback' | 'private_scheme';

/**
 * The kind of a permitted redirect URI: https, http on loopback (RFC 8252, section 7.3), or a private-use scheme,
 * either a reversed domain name or the scheme of a well-known client. Undefined for every other URI, such as
 * `javascript:` or http elsewhere.
 */
export const redirectKind = (uri: unknown): RedirectKind | undefined => {
  if (typeof uri !== 'string' || uri.length > MAX_LENGTH || uri.includes('#')) return undefined;
  const url = URL.parse(uri);
  if (!url || url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return 'web';
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname) ? 'loopback' : undefined;
  return CLIENT_SCHEMES.has(url.protocol) || REVERSE_DOMAIN.test(url.protocol) ? 'private_scheme' : undefined;
};

/** True for https on this machine. The provider rejects a client that mixes it with redirects of other kinds. */
const isLoopbackHttps = (uri: string): boolean => {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' && LOOPBACK.has(hostname);
};

/**
 * The destination of a redirect URI in a form that a person recognizes: a host, or an app's scheme, such as
 * `cursor://`.
 */
export const redirectHost = (uri: string): string => {
  const { protocol, hostname } = new URL(uri);
  return redirectKind(uri) === 'private_scheme' ? `${protocol}//` : hostname;
};

const MAX_REDIRECT_URIS = 20;

const wrong = (message: string) => refuse('invalid_redirect_uris', { message });

/** The permitted redirect URIs of a client's metadata, of which there must be at least one. */
export const permittedRedirects = (uris: unknown): Outcome<string[], 'invalid_redirect_uris'> => {
  if (!Array.isArray(uris) || uris.length === 0 || uris.some((uri) => typeof uri !== 'string')) {
    return wrong('redirect_uris must be a list of one or more URIs');
  }
  if (uris.length > MAX_REDIRECT_URIS) {
    return wrong(`redirect_uris must not have more than ${MAX_REDIRECT_URIS} members`);
  }
  const permitted: string[] = uris.filter((uri) => redirectKind(uri));
  if (permitted.length === 0) {
    return wrong(
      'redirect_uris must have one that is https, http on a loopback address, or a private scheme in reverse domain order',
    );
  }
  return ok(applicationType(permitted) === 'web' ? permitted : permitted.filter((uri) => !isLoopbackHttps(uri)));
};

/**
 * The provider's type for a client with these redirect URIs. It lets only a native one change the port of a loopback
 * redirect (RFC 8252, section 7.3).
 */
export const applicationType = (uris: readonly string[]): 'web' | 'native' =>
  uris.every((uri) => redirectKind(uri) === 'web') ? 'web' : 'native';

/**
 * True for a client id that is the URL of a metadata document, which this server cannot change. A URL has a single
 * spelling, so `HTTPS:` is not accepted.
 */
export const isDocument = (clientId: unknown): boolean =>
  typeof clientId === 'string' && clientId.startsWith('https://');
