import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { refuse } from '../../domain/shared/outcome.ts';
import { faultReply, frameHeaders, type HostOptions, requestIdOf } from '../host/host.ts';
import { refusalReply } from '../host/reply.ts';
import type { HostHeaders } from '../host/request.ts';
import { sendReply } from '../http/carry.ts';

type Options = Pick<HostOptions, 'log' | 'fault'> & {
  /** The path as the log may have it, where a path can hold a secret. */
  readonly loggedPath?: (path: string) => string;
};

/** An app's own answers to unknown paths and to faults, such as pages for people. The log has the fault already. */
export type WebAnswers = { readonly notFound: RequestHandler; readonly fault: ErrorRequestHandler };

const JSON_ANSWERS: WebAnswers = {
  notFound: (_req, res) => sendReply(res, refusalReply(refuse('not_found'))),
  fault: (error, _req, res, _next) => sendReply(res, faultReply(error, res.locals['requestId'])),
};

/**
 * An Express app for pages beside a host. It has the host's request ids, headers and log lines, and its JSON for
 * unknown paths and faults, unless the app brings answers of its own.
 */
export const webApp = (routers: readonly RequestHandler[], options: Options, answers = JSON_ANSWERS): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(frame(options));
  for (const router of routers) app.use(router);
  app.use(answers.notFound);
  app.use(faults(options, answers));
  return app;
};

const frame =
  ({ log, loggedPath = (path) => path }: Options): RequestHandler =>
  (req, res, next) => {
    const started = performance.now();
    const id = requestIdOf(req.headers as HostHeaders);
    res.locals['requestId'] = id;
    res.setHeaders(new Map(Object.entries(frameHeaders(id))));
    const path = loggedPath(req.originalUrl.split('?', 1)[0] as string);
    res.once('close', () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      log({ id, method: req.method, path, status: res.statusCode, ms, answered: undefined });
    });
    next();
  };

const faults =
  ({ fault }: Options, answers: WebAnswers): ErrorRequestHandler =>
  (error, req, res, next) => {
    // The path is not valid percent-encoding.
    if (error instanceof URIError || error?.status === 400) return answers.notFound(req, res, next);
    fault(error, res.locals['requestId']);
    if (res.headersSent) return void res.destroy();
    return answers.fault(error, req, res, next);
  };
