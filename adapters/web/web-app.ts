import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { refuse } from '../../domain/shared/outcome.ts';
import { faultReply, frameHeaders, type HostOptions, requestIdOf } from '../host/host.ts';
import { refusalReply } from '../host/reply.ts';
import type { HostHeaders } from '../host/request.ts';
import { sendReply } from '../http/carry.ts';

type Options = Pick<HostOptions, 'log' | 'fault'>;

/**
 * An Express app for pages beside a host. It has the host's request ids, headers and log lines, and its JSON for
 * unknown paths and faults.
 */
export const webApp = (routers: readonly RequestHandler[], options: Options): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(frame(options));
  for (const router of routers) app.use(router);
  app.use((_req, res) => sendReply(res, refusalReply(refuse('not_found'))));
  app.use(faults(options));
  return app;
};

const frame =
  ({ log }: Options): RequestHandler =>
  (req, res, next) => {
    const started = performance.now();
    const id = requestIdOf(req.headers as HostHeaders);
    res.locals['requestId'] = id;
    res.setHeaders(new Map(Object.entries(frameHeaders(id))));
    const path = req.originalUrl.split('?', 1)[0] as string;
    res.once('close', () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      log({ id, method: req.method, path, status: res.statusCode, ms, answered: undefined });
    });
    next();
  };

const faults =
  ({ fault }: Options): ErrorRequestHandler =>
  (error, _req, res, _next) => {
    // The path is not valid percent-encoding.
    if (error instanceof URIError || error?.status === 400) return sendReply(res, refusalReply(refuse('not_found')));
    const requestId: string = res.locals['requestId'];
    fault(error, requestId);
    if (res.headersSent) return void res.destroy();
    return sendReply(res, faultReply(error, requestId));
  };
