import { refuse } from '../../domain/shared/outcome.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { HostRoute } from './host.ts';
import { objectReply } from './object-reply.ts';
import { jsonReply, NO_STORE, refusalReply } from './reply.ts';

/** Reads the URLs that an object store signed. */
export type DownloadReader = {
  /** The path that the URLs begin with, below the base address. */
  readonly path: string;
  /** The file that a URL names. The URL is given from the part after `path` on. */
  readonly read: (
    url: string,
  ) =>
    | { state: 'valid'; download: { key: string; filename: string; contentType: string } }
    | { state: 'expired' | 'invalid' };
};

const FORBIDDEN = {
  expired:
    'This link has expired. Ask for a new install plan to get a file, or for the product again to get a picture.',
  invalid: 'This link is not valid. Use it exactly as the answer that contained it gave it, or ask for a new one.',
};

/**
 * The route of the URLs that a store signs and does not serve itself. Only the signature counts: an Authorization
 * header changes nothing. An expired or invalid URL is answered 403.
 */
export const downloadsRoute = (store: Pick<ObjectStore, 'stat' | 'open'>, reader: DownloadReader): HostRoute => ({
  method: 'GET',
  path: `${reader.path}/{path}`,
  counts: 'files',
  entry: async (request) => {
    const url = request.path.slice(reader.path.length) + (request.query === '' ? '' : `?${request.query}`);
    const answer = reader.read(url);
    if (answer.state !== 'valid') {
      return jsonReply(403, { message: FORBIDDEN[answer.state] }, { 'cache-control': NO_STORE });
    }
    const { key, filename, contentType } = answer.download;
    const info = await store.stat(key);
    if (!info) return refusalReply(refuse('not_found'));
    const object = { info, filename, contentType, disposition: 'attachment', cacheControl: NO_STORE } as const;
    return objectReply(request, object, async (range) => (await store.open(key, range))?.stream);
  },
});
