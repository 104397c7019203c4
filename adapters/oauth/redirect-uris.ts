const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A private scheme is a domain name in reverse order, such as `com.example.app` (RFC 8252, section 7.1). */
const REVERSE_DOMAIN = /^[a-z][a-z\d-]*(?:\.[a-z\d-]+)+:$/;

/** Schemes that are no domain names, which well-known clients of MCP register with their operating system. */
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
 * The kind of a redirect URI that a client may have: https, http on this machine's loopback (RFC 8252, section 7.3), or
 * a private scheme in reverse domain order or of a well-known client. Undefined for every other one, such as
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

/** True for https on this machine, which the provider takes from no client with a redirect of the other kinds. */
export const isLoopbackHttps = (uri: string): boolean => {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' && LOOPBACK.has(hostname);
};

/** The place that a redirect URI leads to, as a person may know it: a host, or the scheme of an app, such as `cursor://`. */
export const redirectHost = (uri: string): string => {
  const { protocol, hostname } = new URL(uri);
  return redirectKind(uri) === 'private_scheme' ? `${protocol}//` : hostname;
};
