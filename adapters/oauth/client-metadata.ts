import { errors } from 'oidc-provider';
import { LOOPBACK } from '../../domain/shared/loopback.ts';
import { plainName } from '../../domain/shared/plain-text.ts';

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

const MAX_NAME = 100;
const MAX_REDIRECT_URIS = 20;

/** Bytes of a registered client's metadata, as JSON. Strangers register, and their records are kept. */
const MAX_BYTES = 4096;
const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/** Metadata as a client sent it, before anything of it was checked. */
export type RawMetadata = Record<string, unknown>;

/** The algorithm that the provider's own rules name for ID tokens, of which none are issued. */
export const UNUSED_ALGORITHM = 'EdDSA';

/** The members of a client that are kept. Every other one is dropped, which RFC 7591 (section 2) permits. */
const KEPT = new Set([
  'client_id',
  'client_id_issued_at',
  'client_name',
  'client_uri',
  'grant_types',
  'redirect_uris',
  'software_id',
  'software_version',
]);

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** The provider's parser leaves it in the place of bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

const clientName = (name: unknown): string | undefined => {
  if (typeof name !== 'string') return undefined;
  if (name.includes(REPLACEMENT)) {
    throw new errors.InvalidClientMetadata('client_name has bytes that are not UTF-8, or U+FFFD in their place');
  }
  return plainName(name, MAX_NAME) ?? undefined;
};

const webPage = (uri: unknown): string | undefined => {
  const isPage = typeof uri === 'string' && uri.length <= 1000 && URL.parse(uri)?.protocol === 'https:';
  return isPage ? uri : undefined;
};

const shortText = (text: unknown): string | undefined =>
  typeof text === 'string' && text.length > 0 && text.length <= 200 ? text : undefined;

/**
 * True for the client id of a metadata document, which its owner can't change to what we would answer. One address has
 * one spelling, so that `HTTPS:` is none.
 */
export const isDocument = (clientId: unknown): boolean =>
  typeof clientId === 'string' && clientId.startsWith('https://');

/** The redirect URIs that the client gets: those that are permitted, of which there must be one. */
const permittedRedirects = (uris: unknown): string[] => {
  const all = texts(uris);
  if (!Array.isArray(uris) || all.length !== uris.length || all.length === 0) {
    throw new errors.InvalidClientMetadata('redirect_uris must be a list of one or more URIs');
  }
  if (all.length > MAX_REDIRECT_URIS) {
    throw new errors.InvalidClientMetadata(`redirect_uris must not have more than ${MAX_REDIRECT_URIS} members`);
  }
  const permitted = all.filter((uri) => redirectKind(uri));
  if (permitted.length === 0) {
    throw new errors.InvalidClientMetadata(
      'redirect_uris must have one that is https, http on a loopback address, or a private scheme in reverse domain order',
    );
  }
  const isNative = permitted.some((uri) => redirectKind(uri) !== 'web');
  return isNative ? permitted.filter((uri) => !isLoopbackHttps(uri)) : permitted;
};

/**
 * Creates a client's metadata those of a public client of ours, in place (RFC 7591, section 3.2.1, permits to replace
 * them): no secret, code and refresh only, redirect URIs of the permitted kinds. Throws InvalidClientMetadata if no
 * redirect URI is permitted, the name is no UTF-8, the metadata are too long, or the client can't do without an answer
 * that we don't give.
 */
export const asPublicClient = (metadata: RawMetadata): void => {
  const redirect_uris = permittedRedirects(metadata['redirect_uris']);
  const asked = texts(metadata['response_types']);
  if (asked.length > 0 && !asked.includes('code')) {
    throw new errors.InvalidClientMetadata('response_types must include code');
  }
  if (
    isDocument(metadata['client_id']) &&
    ![undefined, 'none'].includes(metadata['token_endpoint_auth_method'] as 'none')
  ) {
    throw new errors.InvalidClientMetadata('token_endpoint_auth_method of a metadata document must be none');
  }
  const kept = {
    client_name: clientName(metadata['client_name']),
    client_uri: webPage(metadata['client_uri']),
    software_id: shortText(metadata['software_id']),
    software_version: shortText(metadata['software_version']),
    redirect_uris,
    // Many clients name no grant types, and mean more than the standard's default: without a refresh token their owner
    // would have to let them in every hour.
    grant_types: GRANT_TYPES,
  };
  if (!isDocument(metadata['client_id']) && Buffer.byteLength(JSON.stringify(kept)) > MAX_BYTES) {
    throw new errors.InvalidClientMetadata(`the metadata must not have more than ${MAX_BYTES} bytes`);
  }
  for (const name of Object.keys(metadata)) if (!KEPT.has(name)) delete metadata[name];
  for (const [name, value] of Object.entries(kept)) if (value === undefined) delete metadata[name];
  Object.assign(metadata, Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)), {
    response_types: ['code'],
    response_modes: ['query'],
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: UNUSED_ALGORITHM,
    // Only a native client of the provider's may change the port of a loopback redirect (RFC 8252, section 7.3).
    application_type: redirect_uris.every((uri) => redirectKind(uri) === 'web') ? 'web' : 'native',
  });
};

/** Members of OpenID Connect that the provider adds to each client, and that no client of ours needs to know. */
const OPENID_MEMBERS = ['id_token_signed_response_alg', 'require_auth_time', 'subject_type'];

/** A client's metadata as the answer to its registration. */
export const shownMetadata = (metadata: RawMetadata): RawMetadata =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => !OPENID_MEMBERS.includes(name)));
