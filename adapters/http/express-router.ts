import type { Request, RequestHandler } from 'express';
import type { Host } from '../host/host.ts';
import { carry, requestOf } from './carry.ts';

/**
 * Mounts a host in an Express app. The host answers its own paths; all others go on to the app's own routes. The app's
 * `trust proxy` setting determines the client's address. Mount it before anything that reads bodies.
 */
export const expressRouter =
  (host: Host): RequestHandler =>
  async (req, res, next) => {
    const request = requestOf(req, req.url, (asked) => (asked as Request).ip ?? '');
    if (host.serves(request.path)) await carry(host, req, res, request);
    else next();
  };
