import type { RequestHandler } from 'express';

const ALLOWED = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept-Language, Idempotency-Key, X-Request-Id',
  'Access-Control-Max-Age': '600',
};
const EXPOSED = 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, ETag, Location';

/**
 * Lets the pages of one origin, the API's reference, call a host of another. The answer is the same whoever asks, so that
 * no cache has to tell origins apart; a browser holds other pages back by it.
 */
export const openTo = (url: string): RequestHandler => {
  const { origin } = new URL(url);
  return (req, res, next) => {
    res.setHeader('Access-Control-Allow-Origin', origin);
    res.setHeader('Access-Control-Expose-Headers', EXPOSED);
    if (req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined) {
      res.writeHead(204, ALLOWED).end();
      return;
    }
    next();
  };
};
