import { errors } from 'oidc-provider';
import { plainName } from '../../domain/shared/plain-text.ts';
import { applicationType, isDocument, permittedRedirects } from '../../domain/sign-in/oauth-client.ts';

const MAX_NAME = 100;

/**
 * The maximum size of a client's metadata, in bytes of JSON. Anybody may register a client, and its record is stored.
 */
const MAX_BYTES = 4096;
const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/** Metadata as a client sent it, not yet validated. */
export type RawMetadata = Record<string, unknown>;

/** The provider requires an algorithm for ID tokens, but none are issued. */
export const UNUSED_ALGORITHM = 'EdDSA';

/** The stored fields of a client. All others are dropped, which RFC 7591 (section 2) permits. */
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

/** The provider's parser puts it in place of bytes that are not UTF-8. */
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
 * Turns a client's metadata into that of a public client, in place: no secret, only the code and refresh grants, and
 * permitted redirect URIs (RFC 7591, section 3.2.1, permits the replacement). Throws InvalidClientMetadata if no
 * redirect URI is permitted, the name is not UTF-8, the metadata is too long, or the client requires something that
 * this server does not support.
 */
export const asPublicClient = (metadata: RawMetadata): void => {
  const permitted = permittedRedirects(metadata['redirect_uris']);
  if (!permitted.ok) throw new errors.InvalidClientMetadata(permitted.message ?? permitted.code);
  const redirect_uris = permitted.value;
  const responseTypes = texts(metadata['response_types']);
  if (responseTypes.length > 0 && !responseTypes.includes('code')) {
    throw new errors.InvalidClientMetadata('response_types must include code');
  }
  if (
    isDocument(metadata['client_id']) &&
    ![undefined, 'none'].includes(metadata['token_endpoint_auth_method'] as 'none')
  ) {
    throw new errors.InvalidClientMetadata('token_endpoint_auth_method of a metadata document must be none');
  }
  const stored = {
    client_name: clientName(metadata['client_name']),
    client_uri: webPage(metadata['client_uri']),
    software_id: shortText(metadata['software_id']),
    software_version: shortText(metadata['software_version']),
    redirect_uris,
    // Many clients omit the grant types but expect more than the standard's default: without a refresh token their
    // owner would have to authorize them every hour.
    grant_types: GRANT_TYPES,
  };
  if (!isDocument(metadata['client_id']) && Buffer.byteLength(JSON.stringify(stored)) > MAX_BYTES) {
    throw new errors.InvalidClientMetadata(`the metadata must not have more than ${MAX_BYTES} bytes`);
  }
  for (const name of Object.keys(metadata)) if (!KEPT.has(name)) delete metadata[name];
  for (const [name, value] of Object.entries(stored)) if (value === undefined) delete metadata[name];
  Object.assign(metadata, Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined)), {
    response_types: ['code'],
    response_modes: ['query'],
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: UNUSED_ALGORITHM,
    // The provider lets only a native client change the port of a loopback redirect (RFC 8252, section 7.3).
    application_type: applicationType(redirect_uris),
  });
};

/** OpenID Connect fields that the provider adds to each client and that no client needs here. */
const OPENID_MEMBERS = ['id_token_signed_response_alg', 'require_auth_time', 'subject_type'];

export const shownMetadata = (metadata: RawMetadata): RawMetadata =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => !OPENID_MEMBERS.includes(name)));
