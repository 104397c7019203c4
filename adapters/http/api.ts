import type { RequestHandler } from 'express';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { Invoker } from '../pipeline/invoke.ts';
import { endpointRoutes } from './routes.ts';

/** The routes of one host, ready to be mounted at the root of an Express 5 app. */
export const hostRoutes = (host: Host, invoker: Invoker): RequestHandler =>
  endpointRoutes(
    allEndpoints.filter((endpoint) => endpoint.host === host),
    invoker,
  );
