import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import { type AddressCounter, pageCounter, type RateVerdict } from '../../domain/access/rate-limit.ts';
import { frameHeaders, type HostOptions, requestIdOf, requestLine } from '../host/host.ts';
import type { HostHeaders } from '../host/request.ts';
import type { AddressOf } from '../http/node-requests.ts';
import type { Methods } from './shared/methods.ts';
import { showRate } from './shared/rate.ts';

type Options = Pick<HostOptions, 'log' | 'fault' | 'limit'> & {
  /**
   * The client's IP address; by default the socket's own. It must not come from a header that clients can forge.
   */
  readonly addressOf?: AddressOf;
  /** Returns the path as the log may contain it, if a path can contain a secret. */
  readonly loggedPath?: (path: string) => string;
  /** True if the app counts its own requests, against the account if it knows one. Assets are counted here. */
  readonly countsItself?: boolean;
  /** The methods that the app supports at its paths, if the routers do not refuse others themselves. */
  readonly methods?: Methods;
};

/** The app's answers to unknown paths and to faults, such as pages for people. The fault is already logged. */
export type WebAnswers = {
  readonly notFound: RequestHandler;
  readonly fault: ErrorRequestHandler;
  /** The answer to an address over its limit. The response already has the X-RateLimit headers. */
  readonly tooMany: (req: Request, res: Response, rate: RateVerdict) => unknown;
};

/**
 * An Express app for pages on a host. It shares the host's request ids, headers, limits and log lines, and has its own
 * answers to unknown paths and faults. A trailing slash of a path is ignored, as on a host.
 */
export const webApp = (routers: readonly RequestHandler[], options: Options, answers: WebAnswers): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(frame(options));
  const { countsItself = false } = options;
  app.use(counted(options, answers, countsItself ? ['bulk'] : ['bulk', 'calls']));
  // If an app counts its own requests, those that it does not answer are counted here.
  const countUnknown = counted(options, answers, countsItself ? ['calls'] : []);
  app.use(wrongMethods(options, countUnknown, answers));
  for (const router of routers) app.use(router);
  app.use(countUnknown);
  app.use(answers.notFound);
  app.use(faults(options, answers));
  return app;
};

const socketAddress: AddressOf = (req) => req.socket.remoteAddress ?? '';

/** The request target without a trailing slash in its path. */
const withoutSlash = (url: string): string => url.replace(/^([^?]+)\/(?=\?|$)/, '$1');

const frame =
  ({ log, addressOf = socketAddress, loggedPath = (path) => path }: Options): RequestHandler =>
  (req, res, next) => {
    const started = performance.now();
    const id = requestIdOf(req.headers as HostHeaders);
    res.locals['requestId'] = id;
    res.setHeaders(new Map(Object.entries(frameHeaders(id))));
    const path = loggedPath(req.originalUrl.split('?', 1)[0] as string);
    const address = addressOf(req);
    res.once('close', () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      log(requestLine({ id, method: req.method, path, address, status: res.statusCode, ms, answered: undefined }));
    });
    req.url = withoutSlash(req.url);
    next();
  };

/** Counts a request in the counter of its path, if it is one of these, and refuses it over the limit. */
const counted =
  (
    { limit, addressOf = socketAddress }: Options,
    answers: WebAnswers,
    counters: readonly AddressCounter[],
  ): RequestHandler =>
  async (req, res, next) => {
    const counter = pageCounter(req.path);
    if (!limit || !counters.includes(counter)) return next();
    const rate = await limit(counter, () => addressOf(req));
    showRate(res, rate);
    return rate.allowed ? next() : answers.tooMany(req, res, rate);
  };

/**
 * Refuses the methods that a path of the app does not support, including OPTIONS, which Express would answer itself.
 * `Allow` names the supported methods.
 */
const wrongMethods = ({ methods }: Options, count: RequestHandler, { notFound }: WebAnswers): RequestHandler => {
  const router = Router({ strict: true, caseSensitive: true });
  for (const [path, taken] of methods?.entries() ?? []) {
    router.all(path, (req, res, next) => {
      if (taken.includes(req.method)) return next('router');
      res.setHeader('allow', taken.join(', '));
      return count(req, res, (error) => (error ? next(error) : notFound(req, res, next)));
    });
  }
  return router;
};

/** The status for a path that the app does not answer: 405 if it supports other methods. */
export const unansweredStatus = (res: Response): 404 | 405 => (res.hasHeader('allow') ? 405 : 404);

const faults =
  ({ fault }: Options, answers: WebAnswers): ErrorRequestHandler =>
  (error, req, res, next) => {
    // The path is not valid percent-encoding.
    if (error instanceof URIError || error?.status === 400) return answers.notFound(req, res, next);
    fault(error, res.locals['requestId']);
    if (res.headersSent) return void res.destroy();
    return answers.fault(error, req, res, next);
  };
