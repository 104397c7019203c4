import type { Request, RequestHandler } from 'express';
import type { Host } from '../host/host.ts';
import { type AddressOf, carry, requestOf } from './carry.ts';

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

/**
 * The most works that begin in one turn. A work holds most memory between its begin and its end, and works that begin
 * together end together, so that hundreds of large answers at once would take memory for all of them.
 */
const WORKS_OF_TURN = 32;

/**
 * Begins the works of one turn of the event loop together, at its end. Requests that arrive together then go through
 * each step of the service side by side, while its code is in the processor's caches, which takes a good part of their
 * CPU away. Works beyond 32 begin in the next turns, in their order. A work must not throw, because the works after it
 * would not begin.
 */
export const sideBySide = (): ((work: () => void) => void) => {
  let waiting: (() => void)[] = [];
  const begin = (): void => {
    const works = waiting.slice(0, WORKS_OF_TURN);
    waiting = waiting.slice(WORKS_OF_TURN);
    if (waiting.length > 0) setImmediate(begin);
    for (const work of works) work();
  };
  return (work) => {
    if (waiting.length === 0) setImmediate(begin);
    waiting.push(work);
  };
};
