import { type RequestHandler, Router } from 'express';

/** What passes beside all that begins with `X-` (specification, Request header). */
const PASSED = new Set(['authorization', 'content-type', 'accept', 'accept-language', 'user-agent']);

/** They are about the message itself and not about what it asks: a forwarder has its own. */
const FRAME = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** Of a request's headers, by lower-case name, those that the legacy host passes on. */
export const legacyHeaders = <V>(headers: Readonly<Record<string, V>>): Record<string, V> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => PASSED.has(name) || name.startsWith('x-') || FRAME.has(name)),
  );

/** The legacy host: `/api/...` of the API host, reached with few headers. Nothing else of that host is there. */
export const legacyRoutes = (api: RequestHandler): Router => {
  const router = Router({ caseSensitive: true });
  router.use((req, res, next) => {
    if (!req.path.startsWith('/api/')) return next();
    req.headers = legacyHeaders(req.headers);
    return api(req, res, next);
  });
  return router;
};
