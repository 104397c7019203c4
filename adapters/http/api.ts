import type { RequestHandler } from 'express';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { Invoker } from '../pipeline/invoke.ts';
import { endpointRoutes } from './routes.ts';
import type { SpoolFolder } from './spool.ts';

/**
 * The routes of one host, ready to be mounted at the root of an Express 5 app. Files that come in lie in `spool` until
 * they are answered for; give all hosts of a process the same one, which bounds how many there are at once.
 */
export const hostRoutes = (host: Host, invoker: Invoker, spool: SpoolFolder): RequestHandler =>
  endpointRoutes(
    allEndpoints.filter((endpoint) => endpoint.host === host),
    invoker,
    spool,
  );
