import type { Reply } from './reply.ts';
import type { HostHeaders, HostRequest } from './request.ts';

/** Seconds for which a browser may keep the answer to a preflight request. */
const KEPT_SECONDS = 600;

const ALLOWED = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': [
    'Authorization',
    'Content-Type',
    'Accept-Language',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'If-Range',
    'Range',
    'X-Request-Id',
    'MCP-Protocol-Version',
    'Mcp-Session-Id',
    'Mcp-Method',
    'Mcp-Name',
  ].join(', '),
  'access-control-max-age': String(KEPT_SECONDS),
};

const EXPOSED = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'Location',
  'Allow',
  'Content-Disposition',
  'Content-Language',
  'Content-Range',
  'Idempotency-Replayed',
  'Repr-Digest',
  'Mcp-Session-Id',
  'WWW-Authenticate',
  'X-Released-Slots',
].join(', ');

const isOpenTo = (origins: ReadonlySet<string>, { origin }: HostHeaders): boolean =>
  origin !== undefined && origins.has(origin);

/**
 * The headers by which pages of these origins may read a host's answers (Fetch, CORS protocol). A page of another
 * origin gets none, so that its browser blocks it. Browsers send no cookies to the host, because callers show a key.
 */
export const crossOriginHeaders = (origins: ReadonlySet<string>, headers: HostHeaders): Reply['headers'] => {
  if (origins.size === 0) return {};
  if (!isOpenTo(origins, headers)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': headers['origin'] as string,
    'access-control-expose-headers': EXPOSED,
  };
};

/** The reply to a preflight request (Fetch) of a page of these origins; undefined for any other request. */
export const preflightReply = (
  origins: ReadonlySet<string>,
  { method, headers }: Pick<HostRequest, 'method' | 'headers'>,
): Reply | undefined =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && isOpenTo(origins, headers)
    ? { status: 204, headers: ALLOWED, body: null }
    : undefined;

/** A reply's own headers with those of the CORS protocol. An answer may depend on the origin and on more. */
export const withCrossOrigin = (cors: Reply['headers'], own: Reply['headers']): Reply['headers'] => {
  const varies = [own['vary'], cors['vary']].filter((names) => names !== undefined);
  return { ...cors, ...own, ...(varies.length > 0 && { vary: varies.join(', ') }) };
};
