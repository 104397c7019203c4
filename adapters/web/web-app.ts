import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import type { AddressCounter } from '../../application/access/limit-rate.ts';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';
import { frameHeaders, type HostOptions, requestIdOf, requestLine } from '../host/host.ts';
import type { HostHeaders } from '../host/request.ts';
import type { AddressOf } from '../http/node-requests.ts';
import type { Methods } from './shared/methods.ts';
import { showRate } from './shared/rate.ts';

type Options = Pick<HostOptions, 'log' | 'fault' | 'limit'> & {
  /** The client's network address; without it, the socket's own. No header that a stranger can forge may count. */
  readonly addressOf?: AddressOf;
  /** The path as the log may have it, where a path can hold a secret. */
  readonly loggedPath?: (path: string) => string;
  /**
   * The counter of the address that a request for a path counts in; null if the app counts it itself. Without it, the
   * assets of pages count as files, and everything else with the calls.
   */
  readonly counterOf?: (path: string) => AddressCounter | null;
  /** The methods that the app takes at its paths, if the routers do not refuse other ones themselves. */
  readonly methods?: Methods;
};

/** An app's own answers to unknown paths and to faults, such as pages for people. The log has the fault already. */
export type WebAnswers = {
  readonly notFound: RequestHandler;
  readonly fault: ErrorRequestHandler;
  /** The answer to an address over its limit, on which the X-RateLimit headers are. */
  readonly tooMany: (req: Request, res: Response, rate: RateVerdict) => unknown;
};

/** The assets of pages count as files, because one page loads several. */
export const assetsAsFiles = (path: string): AddressCounter => (path.startsWith('/assets/') ? 'bulk' : 'calls');

/**
 * An Express app for pages beside a host. It has the host's request ids, headers, limits and log lines, and answers of
 * its own to unknown paths and faults. A slash at the end of a path is ignored, as on a host.
 */
export const webApp = (routers: readonly RequestHandler[], options: Options, answers: WebAnswers): Express => {
  const { counterOf = assetsAsFiles } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(frame(options));
  app.use(counted(options, answers, counterOf));
  // A path that an app counts itself has not been counted where the app does not answer it.
  const countUnknown = counted(options, answers, (path) => (counterOf(path) === null ? 'calls' : null));
  app.use(wrongMethods(options, countUnknown, answers));
  for (const router of routers) app.use(router);
  app.use(countUnknown);
  app.use(answers.notFound);
  app.use(faults(options, answers));
  return app;
};

const socketAddress: AddressOf = (req) => req.socket.remoteAddress ?? '';

/** The request target without the slash at the end of its path. */
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

/** Counts a request in the counter of its path, and refuses it over the limit. */
const counted =
  (
    { limit, addressOf = socketAddress }: Options,
    answers: WebAnswers,
    counterOf: NonNullable<Options['counterOf']>,
  ): RequestHandler =>
  async (req, res, next) => {
    const counter = counterOf(req.path);
    if (!limit || counter === null) return next();
    const rate = await limit(counter, () => addressOf(req));
    showRate(res, rate);
    return rate.allowed ? next() : answers.tooMany(req, res, rate);
  };

/**
 * Refuses the methods that a path of the app does not take, also OPTIONS, which Express would answer by itself. `Allow`
 * names the methods that it takes.
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

/** The status of an answer to a path that the app does not answer: 405 where it takes other methods. */
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
