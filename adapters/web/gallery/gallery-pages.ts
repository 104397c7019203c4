import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { isUnavailable } from '../../host/host.ts';
import { addAssets } from '../shared/assets.ts';
import { Methods } from '../shared/methods.ts';
import { unansweredStatus, type WebAnswers } from '../web-app.ts';
import { ASSETS } from './assets/assets.ts';
import { addAppPages } from './pages/apps.ts';
import { addDocumentPages } from './pages/documents.ts';
import { addExplorePages } from './pages/explore.ts';
import { faultView, notFoundView, tooManyView, unavailableView } from './pages/page.ts';
import { addScreenPages } from './pages/screens.ts';
import { addTaxonomyPages } from './pages/taxonomy.ts';
import type { GalleryPagesSettings } from './parts.ts';
import { Paths } from './paths.ts';

export type GalleryPages = {
  readonly router: Router;
  readonly methods: Methods;
  /** The answers to unknown paths, faults, and addresses over their limit. */
  readonly answers: WebAnswers;
};

/**
 * Creates the pages of the design host, for `webApp`. They work without a script, set no cookie, write nothing, and are
 * the same for everybody.
 */
export const galleryPages = (settings: GalleryPagesSettings): GalleryPages => {
  const router = Router({ strict: true, caseSensitive: true });
  const methods = new Methods();
  addAssets(router, methods, ASSETS);
  const paths = new Paths(router, methods, settings);
  addExplorePages(paths);
  addAppPages(paths);
  addScreenPages(paths);
  addDocumentPages(paths);
  addTaxonomyPages(paths);
  return { router, methods, answers: answersOn(paths) };
};

const answersOn = (paths: Paths): WebAnswers => {
  const notFound: RequestHandler = (req, res) => paths.say(req, res, unansweredStatus(res), notFoundView);
  const fault: ErrorRequestHandler = (error, req, res, _next) =>
    isUnavailable(error)
      ? paths.say(req, res, 503, unavailableView, { 'retry-after': '5' })
      : paths.say(req, res, 500, (page) => faultView(page, res.locals['requestId']));
  const tooMany: WebAnswers['tooMany'] = (req, res, { retry_after }) =>
    paths.say(req, res, 429, (page) => tooManyView(page, retry_after));
  return { notFound, fault, tooMany };
};
