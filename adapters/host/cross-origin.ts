import type { Reply } from './reply.ts';
import type { HostHeaders } from './request.ts';

const ALLOWED = {
  'access-control-allow-methods': 'GET, POST, PUT',
  'access-control-allow-headers': 'Authorization, Content-Type, Accept-Language, Idempotency-Key, X-Request-Id',
  'access-control-max-age': '600',
};
const EXPOSED = 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, ETag, Location, X-Released-Slots';

/**
 * The headers that let pages of the origin of `url`, such as the API's reference, call a host on another origin. They
 * are the same for every caller, so that no cache has to tell origins apart. A browser blocks all other pages by them.
 */
export const crossOriginHeaders = (url: string): Reply['headers'] => ({
  'access-control-allow-origin': new URL(url).origin,
  'access-control-expose-headers': EXPOSED,
});

/** The reply to a CORS-preflight request (Fetch); undefined for any other OPTIONS request. */
export const preflightReply = (headers: HostHeaders): Reply | undefined =>
  headers['access-control-request-method'] === undefined ? undefined : { status: 204, headers: ALLOWED, body: null };
