import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { AccountPrincipal, Principal } from '../../domain/access/principal.ts';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { type Outcome, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { REFUSALS, type RefusalCode, type RefusalSpec } from '../../ports/inbound/refusals.ts';
import { type FieldErrors, summary } from '../pipeline/input.ts';
import { type HostHeaders, type HostRequest, localeOf } from './request.ts';

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

const names = (header: string, etag: string, weakly: boolean): boolean =>
  header.trim() === '*' ||
  (header.match(ENTITY_TAG) ?? []).some((tag) => tag === etag || (weakly && tag === `W/${etag}`));

/**
 * Evaluates the conditions of a GET or HEAD for a resource with a strong ETag, in the order of RFC 9110, section
 * 13.2.2. Conditions by date are ignored, as RFC 9110 requires if the modification date is unknown.
 */
export const precondition = (headers: HostHeaders, etag: string): 'go on' | 'failed' | 'not modified' => {
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && !names(ifMatch, etag, false)) return 'failed';
  const ifNoneMatch = headers['if-none-match'];
  return ifNoneMatch !== undefined && names(ifNoneMatch, etag, true) ? 'not modified' : 'go on';
};

/** True if the Range header applies: there is no If-Range, or If-Range is this strong ETag. */
export const rangeCounts = (headers: HostHeaders, etag: string): boolean => {
  const ifRange = headers['if-range'];
  return ifRange === undefined || ifRange === etag;
};

/** The Korean message of a refusal for buyers; undefined if it exists only in English. */
const koreanOf = ({ code, message, ko }: Refused): string | undefined =>
  ko ?? (message === undefined ? (REFUSALS[code as RefusalCode] as RefusalSpec).ko : undefined);

/**
 * The body of a refusal: `message`, `error` for a code with a name, and data. Messages for buyers are in the caller's
 * language, others in English.
 */
export const refusalBody = (refused: Refused, locale: Locale = 'en'): Record<string, unknown> => {
  const { code, message, data } = refused;
  const { named, message: usual } = REFUSALS[code as RefusalCode];
  const errors = data?.['errors'] as FieldErrors | undefined;
  const korean = locale === 'ko' ? koreanOf(refused) : undefined;
  return {
    message: korean ?? message ?? (errors ? summary(errors) : usual),
    ...(named ? { error: code } : {}),
    ...data,
  };
};

export const refusalStatus = (code: string): number => REFUSALS[code as RefusalCode].status;

/** Bytes to send as they are read. The stream has exactly `length` bytes, or it fails. */
export type ByteSource = { readonly length: number; readonly stream: Readable };

/** The endpoint, the caller and the refusal code for the log. */
export type AnswerFacts = {
  readonly endpoint: string;
  readonly accountId: number | null;
  /** The id of the API key, never its value; absent without a key. */
  readonly keyId?: number;
  /** The id of the connected client; absent unless the caller signed in by OAuth. */
  readonly clientId?: string;
  /** The id of the agent's token; absent if the caller is not an agent. */
  readonly agentId?: number;
  readonly code: string | null;
  /** The code of the decision in the answer; absent if the endpoint decides nothing. */
  readonly decision?: string;
};

const credentialOf = ({ credential }: AccountPrincipal): Pick<AnswerFacts, 'keyId' | 'clientId'> => {
  switch (credential.kind) {
    case 'key':
      return { keyId: credential.key.id };
    case 'token':
      return { clientId: credential.client_id };
    case 'session':
      return {};
  }
};

/** The log fields of the caller, who is null if the credential was refused. */
export const answeredTo = (
  { id }: Pick<EndpointSpec, 'id'>,
  principal: Principal | null,
  code: string | null,
  decision?: string,
): AnswerFacts => ({
  endpoint: id,
  accountId: principal?.kind === 'account' ? principal.account_id : null,
  ...(principal?.kind === 'account' && credentialOf(principal)),
  ...(principal?.kind === 'agent' && { agentId: principal.id }),
  code,
  ...(decision !== undefined && { decision }),
});

/** The log fields of an endpoint's outcome: the caller, and the code of the refusal or the decision. */
export const answeredWith = (
  endpoint: Pick<EndpointSpec, 'id' | 'output'>,
  principal: Principal | null,
  outcome: Outcome<unknown, string>,
): AnswerFacts => {
  if (!outcome.ok) return answeredTo(endpoint, principal, outcome.code);
  const { output } = endpoint;
  const field = output.kind === 'json' ? output.decidedBy : undefined;
  const decision = field === undefined ? undefined : (outcome.value as Readonly<Record<string, string>>)[field];
  return answeredTo(endpoint, principal, null, decision);
};

/** A reply for a mount to send. Header names are lower-case. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null means no body. */
  readonly body: string | Uint8Array | ByteSource | null;
  readonly answered?: AnswerFacts;
  /** Faults that did not affect the client, for the log. */
  readonly faults?: readonly unknown[];
  /** Resolves when the body has ended, however it ended. A mount of a host with a stream limit waits for it. */
  readonly ended?: () => Promise<void>;
};

export const NO_STORE = 'private, no-store';

/** The Retry-After of a 503, in seconds. */
const UNAVAILABLE_RETRY_SECONDS = 5;

export const isStreamed = (body: Reply['body']): body is ByteSource =>
  body !== null && typeof body === 'object' && 'stream' in body;

/** A reply with a complete body, its type and its length in bytes. */
export const wholeReply = (
  status: number,
  contentType: string,
  body: string | Uint8Array,
  headers: Reply['headers'] = {},
): Reply => ({
  status,
  headers: { ...headers, 'content-type': contentType, 'content-length': String(Buffer.byteLength(body)) },
  body,
});

export const jsonReply = (status: number, value: unknown, headers?: Reply['headers']): Reply =>
  wholeReply(status, 'application/json; charset=utf-8', JSON.stringify(value), headers);

export const rateHeaders = ({ limit, remaining }: RateVerdict): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
});

/** The headers of a 429. `retryAfter` counts from the moment of the verdict, like `retry_after`. */
export const limitedHeaders = (rate: RateVerdict, retryAfter = rate.retry_after): Reply['headers'] => ({
  ...rateHeaders(rate),
  'retry-after': String(retryAfter),
  'x-ratelimit-reset': String(rate.resets_at - rate.retry_after + retryAfter),
});

const refusalHeaders = (
  { code, retryAfter }: Refused,
  status: number,
  rate: RateVerdict | undefined,
): Reply['headers'] => {
  switch (status) {
    case 401: {
      const error = code === 'invalid_api_key' ? ', error="invalid_token"' : '';
      return { 'www-authenticate': `Bearer realm="account-api"${error}` };
    }
    case 429:
      return rate ? limitedHeaders(rate, retryAfter) : {};
    case 503:
      return { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) };
    default:
      return {};
  }
};

/** The reply to a refused request, with the headers of its status and its language. */
export const refusalReply = (refused: Refused<RefusalCode>, rate?: RateVerdict, locale?: Locale): Reply => {
  const status = refusalStatus(refused.code);
  return jsonReply(status, refusalBody(refused, locale), {
    'cache-control': NO_STORE,
    ...(locale !== undefined && koreanOf(refused) !== undefined && { 'content-language': locale }),
    ...refusalHeaders(refused, status, rate),
  });
};

export const withRate = (reply: Reply, rate: RateVerdict): Reply => ({
  ...reply,
  headers: { ...rateHeaders(rate), ...reply.headers },
});

export const limitedReply = (rate: RateVerdict, { headers }: Pick<HostRequest, 'headers'>): Reply =>
  refusalReply(refuse('rate_limited'), rate, localeOf(headers['accept-language']));

/** Refuses a method that a path does not support. `Allow` names the supported methods (RFC 9110, section 15.5.6). */
export const wrongMethodReply = (allowed: readonly string[]): Reply => {
  const refused = refusalReply(refuse('method_not_allowed'));
  return { ...refused, headers: { ...refused.headers, allow: allowed.join(', ') } };
};

/** A reply with a strong ETag for revalidation. The status is 304 if the client already has the body, otherwise 200. */
export const revalidatedReply = (
  { headers }: Pick<HostRequest, 'headers'>,
  body: string | Uint8Array,
  contentType: string,
  cacheControl = 'private, no-cache',
): Reply => {
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
  const cacheHeaders = { etag, 'cache-control': cacheControl };
  if (precondition(headers, etag) === 'not modified') return { status: 304, headers: cacheHeaders, body: null };
  return wholeReply(200, contentType, body, cacheHeaders);
};
