import type { Request, RequestHandler } from 'express';
import type { Host } from '../host/host.ts';
import { type AddressOf, carry, requestOf } from './carry.ts';
import { sideBySide } from './side-by-side.ts';

const ipOf: AddressOf = (req) => (req as Request).ip ?? '';

/**
 * Mounts a host in an Express app. The host answers its own paths; all others go on to the app's own routes. The app's
 * `trust proxy` setting determines the client's address, if `addressOf` does not. Mount it before anything that reads
 * bodies.
 */
export const expressRouter = (host: Host, addressOf = ipOf): RequestHandler => {
  const begin = sideBySide();
  return (req, res, next) => {
    const address = addressOf(req);
    const request = requestOf(req, req.url, () => address);
    if (host.serves(request.path)) begin(() => void carry(host, req, res, request).catch(next));
    else next();
  };
};
