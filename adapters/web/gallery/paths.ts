import type { Request, RequestHandler, Response, Router } from 'express';
import { LOCALES, type Locale } from '../../../domain/shared/locale.ts';
import { revalidatedReply, wholeReply } from '../../host/reply.ts';
import { type HostHeaders, localeOf, prefersJson } from '../../host/request.ts';
import { sendReply } from '../../http/node-requests.ts';
import { rootReply } from '../root.ts';
import { languageNamed } from '../shared/language.ts';
import type { Methods } from '../shared/methods.ts';
import { en } from './messages/en.ts';
import { ko } from './messages/ko.ts';
import type { View } from './pages/page.ts';
import { notFoundView } from './pages/page.ts';
import type { DocumentParts, GalleryPagesParts, GalleryPagesSettings } from './parts.ts';

type Visit = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly language: Locale;
  /** The language that the URL selects, which every link keeps; undefined if the browser decides. */
  readonly chosen: Locale | undefined;
  /** The path and query of this page, without the language. */
  readonly here: string;
};

const visitOf = (req: Request): Visit => {
  const query = new URLSearchParams(req.originalUrl.split('?').slice(1).join('?'));
  const chosen = languageNamed(query.get('hl'), LOCALES);
  query.delete('hl');
  return {
    params: req.params as Record<string, string>,
    query,
    language: chosen ?? localeOf(req.headers['accept-language']),
    chosen,
    here: query.size === 0 ? req.path : `${req.path}?${query}`,
  };
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * The headers of every page. No site frames a page, and a page loads nothing external. Pages are the same for
 * everybody, so any cache may store them if it revalidates them each time.
 */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'public, no-cache',
  vary: 'Accept-Language',
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

const HTML = 'text/html; charset=utf-8';

/** A page to show with status 200; null if it does not exist. */
type Answer = (visit: Visit) => View | null | Promise<View | null>;

/** Adds pages to the router. The app around the router counts their requests. */
export class Paths {
  readonly parts: GalleryPagesParts;
  readonly documents: DocumentParts | null;
  readonly #router: Router;
  readonly #methods: Methods;
  readonly #settings: GalleryPagesSettings;
  /** The path of the host's URL, without a trailing slash. */
  readonly #base: string;

  constructor(router: Router, methods: Methods, settings: GalleryPagesSettings) {
    this.#router = router;
    this.#methods = methods;
    this.#settings = settings;
    this.parts = settings.parts;
    this.documents = settings.documents;
    this.#base = new URL(settings.urls.design).pathname.replace(/\/$/, '');
  }

  page(path: string, answer: Answer): void {
    const isRoot = path === '/';
    const handler: RequestHandler = async (req, res) => {
      const headers = req.headers as HostHeaders;
      if (isRoot && prefersJson(headers['accept'], false)) {
        return sendReply(res, await rootReply('design', this.#settings.urls, { headers }));
      }
      const visit = visitOf(req);
      const view = await answer(visit);
      if (view === null) return this.say(req, res, 404, notFoundView);
      const body = await this.#rendered(visit, view);
      const reply = revalidatedReply({ headers }, body, HTML, PAGE_HEADERS['cache-control']);
      const varies = isRoot && { vary: `${PAGE_HEADERS['vary']}, Accept` };
      return sendReply(res, {
        ...reply,
        headers: { ...PAGE_HEADERS, ...reply.headers, ...varies, 'content-language': visit.language },
      });
    };
    this.#methods.add(path, 'GET');
    this.#router.get(path, handler);
  }

  /** Sends a page that only shows a message. It does not read the store. */
  async say(
    req: Request,
    res: Response,
    status: number,
    view: View,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const visit = visitOf(req);
    const body = await this.#rendered({ ...visit, here: '/' }, view);
    await sendReply(
      res,
      wholeReply(status, HTML, body, {
        ...PAGE_HEADERS,
        ...headers,
        'cache-control': 'no-store',
        'content-language': visit.language,
      }),
    );
  }

  async #rendered({ language, chosen, here }: Visit, view: View): Promise<string> {
    const at = (path: string): string => this.#base + path;
    const to = (path: string): string =>
      chosen === undefined ? at(path) : `${at(path)}${path.includes('?') ? '&' : '?'}hl=${chosen}`;
    const hasDocuments = this.documents !== null;
    const host = this.#settings.urls.design;
    const page = { language, chosen, m: { en, ko }[language], here, at, to, hasDocuments, host };
    return String(await view(page));
  }
}
