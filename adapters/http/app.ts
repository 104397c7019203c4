import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { Contention } from '../../application/shared/contended.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import { StoreUnavailable } from '../store/table.ts';
import { NO_STORE, sendJson, sendRefusal, sendWrongMethod } from './reply.ts';
import type { Answered } from './routes.ts';

/** One line for each request; never a header, a query or a body. */
export type RequestLog = (line: {
  id: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  answered: Answered | undefined;
}) => void;

export type AppOptions = {
  /** Proxies whose word on the client's address is taken, as Express understands them; none if empty. */
  readonly trustedProxies: readonly string[];
  readonly log: RequestLog;
  /** A fault that a request met, for the log. */
  readonly fault: (error: unknown, requestId: string) => void;
  /** Resolves while the host's stores answer. */
  readonly health: () => Promise<void>;
};

const REQUEST_ID = /^[\w.:-]{8,128}$/;

/** An Express app for one host: request ids, security headers, health, the routers given, and JSON for all that is left. */
export const hostApp = (routers: readonly RequestHandler[], options: AppOptions): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', options.trustedProxies.length > 0 ? [...options.trustedProxies] : false);
  app.use(requestFrame(options.log));
  for (const router of routers) app.use(router);
  app.get('/healthz', health(options));
  app.all('/healthz', (_req, res) => sendWrongMethod(res, ['GET', 'HEAD']));
  app.use((_req, res) => sendRefusal(res, refuse('not_found')));
  app.use(faults(options));
  return app;
};

const requestFrame =
  (log: RequestLog): RequestHandler =>
  (req, res, next) => {
    const started = performance.now();
    const given = req.headers['x-request-id'];
    const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    res.locals['requestId'] = id;
    res.setHeader('X-Request-Id', id);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.once('close', () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const path = req.originalUrl.split('?', 1)[0] as string;
      log({ id, method: req.method, path, status: res.statusCode, ms, answered: res.locals['answered'] });
    });
    next();
  };

const health =
  ({ health: check, fault }: AppOptions): RequestHandler =>
  async (_req, res) => {
    res.setHeader('Cache-Control', NO_STORE);
    try {
      await check();
      sendJson(res, 200, { status: 'ok' });
    } catch (error) {
      fault(error, res.locals['requestId']);
      sendRefusal(res, refuse('unavailable'));
    }
  };

/** Faults: the store is out of reach (503), the path can't be decoded (404), or it's ours (500), told to the log alone. */
const faults =
  ({ fault }: AppOptions): ErrorRequestHandler =>
  (error, _req, res, _next) => {
    const requestId: string = res.locals['requestId'];
    if (error instanceof URIError || error?.status === 400) {
      sendRefusal(res, refuse('not_found'));
      return;
    }
    fault(error, requestId);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    if (error instanceof StoreUnavailable || error instanceof Contention) {
      sendRefusal(res, refuse('unavailable'));
      return;
    }
    res.setHeader('Cache-Control', NO_STORE);
    sendJson(res, 500, {
      message: `Something went wrong on our side; if it stays, tell us the request id ${requestId}.`,
    });
  };
