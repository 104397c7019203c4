import type { Request, RequestHandler, Response, Router } from 'express';
import { revalidatedReply, wholeReply } from '../../host/reply.ts';
import type { HostHeaders } from '../../host/request.ts';
import { sendReply } from '../../http/carry.ts';
import type { Methods } from '../shared/methods.ts';
import { PAGE_HEADERS } from './headers.ts';
import { MESSAGES } from './messages/messages.ts';
import type { GalleryPagesParts, GalleryPagesSettings } from './parts.ts';
import { notFoundView } from './views/messages.ts';
import type { View } from './views/page.ts';
import { type Visit, visitOf } from './visit.ts';

const HTML = 'text/html; charset=utf-8';

/** A page to show with status 200; null where there is no such page. */
type Answer = (visit: Visit) => View | null | Promise<View | null>;

/** Adds pages to the router. The app around the router counts their requests. */
export class Paths {
  readonly parts: GalleryPagesParts;
  readonly #router: Router;
  readonly #methods: Methods;
  readonly #settings: GalleryPagesSettings;
  /** The path of the host's address, without a slash at the end. */
  readonly #base: string;

  constructor(router: Router, methods: Methods, settings: GalleryPagesSettings) {
    this.#router = router;
    this.#methods = methods;
    this.#settings = settings;
    this.parts = settings.parts;
    this.#base = new URL(settings.urls.design).pathname.replace(/\/$/, '');
  }

  page(path: string, answer: Answer): void {
    const handler: RequestHandler = async (req, res) => {
      const visit = visitOf(req);
      const view = await answer(visit);
      if (view === null) return this.say(req, res, 404, notFoundView);
      const body = await this.#rendered(visit, view);
      const reply = revalidatedReply(
        { headers: req.headers as HostHeaders },
        body,
        HTML,
        PAGE_HEADERS['cache-control'],
      );
      return sendReply(res, {
        ...reply,
        headers: { ...PAGE_HEADERS, ...reply.headers, 'content-language': visit.locale },
      });
    };
    this.#methods.add(path, 'GET');
    this.#router.get(path, handler);
  }

  /** Sends a page that only says something. It reads no store. */
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
        'content-language': visit.locale,
      }),
    );
  }

  async #rendered({ locale, chosen, here }: Visit, view: View): Promise<string> {
    const at = (path: string): string => this.#base + path;
    const to = (path: string): string =>
      chosen === undefined ? at(path) : `${at(path)}${path.includes('?') ? '&' : '?'}hl=${chosen}`;
    const hasDocuments = this.parts.documents !== null;
    const host = this.#settings.urls.design;
    const page = { locale, chosen, m: MESSAGES[locale], here, at, to, hasDocuments, host };
    return String(await view(page));
  }
}
