import { type RequestHandler, Router } from 'express';
import { refuse } from '../../domain/shared/outcome.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { NO_STORE, sendJson, sendRefusal, sendWrongMethod } from './reply.ts';
import { sendObject } from './send-object.ts';

/** Knows the URLs that an object store signed. */
export type DownloadReader = {
  /** Where the URLs begin, below the base address. */
  readonly path: string;
  /** What a URL stands for, given from behind `path` on. */
  readonly read: (
    url: string,
  ) =>
    | { state: 'valid'; download: { key: string; filename: string; contentType: string } }
    | { state: 'expired' | 'invalid' };
};

const METHODS = ['GET', 'HEAD'];

const FORBIDDEN = {
  expired: 'This download link has expired. Ask for a new install plan to get another.',
  invalid: 'This download link is not valid. Use it exactly as the install plan gave it, or ask for a new one.',
};

/** Serves the URLs that a store signs by itself. The signature is all that counts: an Authorization header changes nothing. */
export const downloadsRouter = (store: Pick<ObjectStore, 'stat' | 'open'>, reader: DownloadReader): Router => {
  const router = Router({ caseSensitive: true });
  router.use(reader.path, download(store, reader));
  return router;
};

const download =
  (store: Pick<ObjectStore, 'stat' | 'open'>, reader: DownloadReader): RequestHandler =>
  async (req, res) => {
    res.setHeader('Cache-Control', NO_STORE);
    if (!METHODS.includes(req.method)) return sendWrongMethod(res, METHODS);
    const answer = reader.read(req.url);
    if (answer.state !== 'valid') return sendJson(res, 403, { message: FORBIDDEN[answer.state] });
    const { key, filename, contentType } = answer.download;
    const info = await store.stat(key);
    if (!info) return sendRefusal(res, refuse('not_found'));
    const object = { info, filename, contentType, disposition: 'attachment', cacheControl: NO_STORE } as const;
    return sendObject(req, res, object, (range) => store.open(key, range));
  };
