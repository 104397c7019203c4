import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { framed, type HostFunction, type HostOptions } from '../host/host.ts';
import { lazy } from '../system/loading.ts';
import { type AddressOf, expressRouter, requestOf, serveRequest } from './node-requests.ts';

/** The pages of a host: which paths are theirs, and the app that answers them. */
export type Pages = { readonly has: (path: string) => boolean; readonly load: () => Promise<RequestHandler> };

const NO_PAGES: Pages = { has: () => false, load: () => Promise.reject(new Error('This host has no pages.')) };

/**
 * The Express app of a host: its endpoints, then its pages, which are loaded with the first request for one. If they
 * can't be loaded, the request fails, and the next one tries again.
 */
export const hostApp = (
  host: Pick<HostFunction, 'handle'>,
  options: Pick<HostOptions, 'log' | 'fault'>,
  addressOf: AddressOf,
  { has, load }: Pages = NO_PAGES,
): Express => {
  const app = express().disable('x-powered-by');
  const pages = lazy(load);
  const failed: ErrorRequestHandler = (error, req, res, _next) =>
    serveRequest(
      { handle: framed(options, () => Promise.reject(error)) },
      req,
      res,
      requestOf(req, req.url, addressOf),
    );
  app.use(expressRouter({ handle: host.handle, serves: (path) => !has(path) }, addressOf));
  app.use(async (req, res, next) => (await pages())(req, res, next));
  return app.use(failed);
};
