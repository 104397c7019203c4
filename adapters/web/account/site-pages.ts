import type { ErrorRequestHandler, RequestHandler, Router } from 'express';
import { LOOPBACK } from '../../../domain/shared/loopback.ts';
import { isUnavailable } from '../../host/host.ts';
import type { Methods } from '../shared/methods.ts';
import { unansweredStatus, type WebAnswers } from '../web-app.ts';
import { send, show } from './answer.ts';
import type { PageGuard } from './guard.ts';
import { PAGE_HEADERS } from './headers.ts';
import { tooManyAnswer, UNAVAILABLE } from './paths.ts';
import type { ShopFace } from './shop.ts';
import type { Site } from './site.ts';
import { faultView, notFoundView } from './views/messages.ts';

/** The pages of a site, for `webApp`. */
export type SitePages = {
  readonly router: Router;
  readonly methods: Methods;
  /** The answers to unknown paths, faults, and addresses over their limit. */
  readonly answers: WebAnswers;
};

/**
 * Redirects a page requested under another loopback name of this machine to the public URL, because forms are accepted
 * from its origin only.
 */
export const fromOtherLoopback = (url: string): RequestHandler => {
  const { origin, hostname, port } = new URL(url);
  return (req, res, next) => {
    const requested = URL.parse(`http://${req.headers.host}`);
    const isOther = requested !== null && requested.hostname !== hostname && requested.port === port;
    if (req.method !== 'GET' || !isOther || !LOOPBACK.has(hostname) || !LOOPBACK.has(requested.hostname)) return next();
    res.redirect(302, `${origin}${req.originalUrl}`);
  };
};

/** These pages do not read the store, so that they can be shown whatever has failed, and to any crawler. */
export const answersOf = (guard: PageGuard, face: ShopFace, site: Site): WebAnswers => {
  const frame = () => ({ site, shop: face.last, email: null });
  const notFound: RequestHandler = async (req, res) => {
    res.setHeaders(new Map(Object.entries(PAGE_HEADERS)));
    await send(res, guard.visit(req, res), show(notFoundView, unansweredStatus(res), '/'), frame());
  };
  const fault: ErrorRequestHandler = async (error, req, res, _next) => {
    res.setHeaders(new Map(Object.entries(PAGE_HEADERS)));
    const requestId: string = res.locals['requestId'];
    const answer = isUnavailable(error) ? UNAVAILABLE : show((page) => faultView(page, requestId), 500, '/');
    await send(res, guard.visit(req, res), answer, frame());
  };
  const tooMany: WebAnswers['tooMany'] = async (req, res, rate) => {
    res.setHeaders(new Map(Object.entries(PAGE_HEADERS)));
    await send(res, guard.visit(req, res), tooManyAnswer(rate.retry_after), frame());
  };
  return { notFound, fault, tooMany };
};
