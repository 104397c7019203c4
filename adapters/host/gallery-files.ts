import type { Readable } from 'node:stream';
import { refuse } from '../../domain/shared/outcome.ts';
import { designObjectKey, SHEET_START, type StoredFile } from '../../domain/shared/stored-file.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { HostRoute } from './host.ts';
import { objectReply } from './object-reply.ts';
import { refusalReply } from './reply.ts';

/** The types of files that the design host serves: images of screens, and the style sheets of saved pages. */
const TYPES = { png: 'image/png', jpg: 'image/jpeg', css: 'text/css; charset=utf-8' } as const;
type Ending = keyof typeof TYPES;

const NAME = /^([\da-f]{64})\.(png|jpg|css)$/;

/**
 * The first bytes of a PNG (section 5.2), of a JPEG (JFIF and Exif alike) and of the sheets of saved pages. Other
 * uploads of collectors, such as a captured page, begin with none of them.
 */
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const SHEET = Buffer.from(SHEET_START);

const begins = (bytes: Buffer, head: Buffer): boolean => bytes.subarray(0, head.length).equals(head);

/** The extension under which a file may be served, by its first bytes; undefined if it may not. */
const endingOf = (head: Buffer): Ending | undefined =>
  begins(head, PNG) ? 'png' : begins(head, JPEG) ? 'jpg' : begins(head, SHEET) ? 'css' : undefined;

const readAll = async (stream: Readable): Promise<Buffer> => Buffer.concat(await stream.toArray());

/** The maximum number of files whose extension a process caches. */
const REMEMBERED = 20_000;

export type Store = Pick<ObjectStore, 'stat' | 'open'>;

/** Finds the extension of stored files by their first bytes, read once per file. */
const endings = (store: Store): ((sha256: string, size: number) => Promise<Ending | undefined>) => {
  const known = new Map<string, Ending | undefined>();
  return async (sha256, size) => {
    if (size === 0) return undefined;
    if (known.has(sha256)) return known.get(sha256);
    const range = { start: 0, end: Math.min(size, SHEET.length) - 1 };
    const opened = await store.open(designObjectKey(sha256), range);
    const ending = endingOf(opened ? await readAll(opened.stream) : Buffer.alloc(0));
    if (known.size >= REMEMBERED) known.clear();
    known.set(sha256, ending);
    return ending;
  };
};

/**
 * The public route of images and style sheets on the design host. Its answers never change, because the sha256 names
 * the bytes. A file is served only if its first bytes match one of these types, and only as that type.
 */
export const mediaRoute = (store: Store): HostRoute => {
  const endingIn = endings(store);
  return {
    method: 'GET',
    path: '/media/{file}',
    counts: 'bulk',
    entry: async (request, params) => {
      const [, sha256 = '', ending = ''] = NAME.exec(params['file'] ?? '') ?? [];
      if (sha256 === '') return refusalReply(refuse('not_found'));
      const key = designObjectKey(sha256);
      const info = await store.stat(key);
      if (!info || (await endingIn(sha256, info.size)) !== ending) return refusalReply(refuse('not_found'));
      const object = {
        info,
        filename: `${sha256}.${ending}`,
        contentType: TYPES[ending as Ending],
        disposition: 'inline',
        cacheControl: 'public, max-age=31536000, immutable',
      } as const;
      const reply = await objectReply(request, object, async (range) => (await store.open(key, range))?.stream);
      return { ...reply, headers: { ...reply.headers, 'content-security-policy': "default-src 'none'; sandbox" } };
    },
  };
};

export type Parts = {
  readonly objects: Pick<ObjectStore, 'stat' | 'open'>;
  /** The saved page of a screen; null if the screen is unknown or has no page. */
  readonly pageOf: (screenId: number) => Promise<StoredFile | null>;
  /** The public URL of the design host, without a trailing slash. */
  readonly design: string;
};

const ID = /^[1-9]\d{0,14}$/;

/**
 * The content security policy of a saved page: it runs nothing, sends nothing, and loads only the style sheets stored
 * with it.
 */
const policyOn = (design: string): string =>
  [
    'sandbox',
    "default-src 'none'",
    `style-src 'unsafe-inline' ${design}/media/`,
    'img-src data:',
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

/**
 * The route of the saved pages of captures. Their authors are untrusted: a page has its own origin (`sandbox`), and the
 * policy applies whatever the page contains.
 */
export const savedPageRoute = ({ objects, pageOf, design }: Parts): HostRoute => {
  const headers = {
    'content-security-policy': policyOn(design),
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
    'x-dns-prefetch-control': 'off',
    'x-robots-tag': 'noindex, nofollow',
  };
  return {
    method: 'GET',
    path: '/screens/{id}/page',
    counts: 'bulk',
    entry: async (request, { id = '' }) => {
      const page = ID.test(id) ? await pageOf(Number(id)) : null;
      const info = page && (await objects.stat(designObjectKey(page.sha256)));
      if (!info) return refusalReply(refuse('not_found'));
      const object = {
        info,
        filename: `screen-${id}.html`,
        contentType: 'text/html; charset=utf-8',
        disposition: 'inline',
        // A later run may replace the screen's page; the ETag shows whether it did.
        cacheControl: 'public, no-cache',
      } as const;
      const reply = await objectReply(request, object, async (range) => (await objects.open(info.key, range))?.stream);
      return { ...reply, headers: { ...reply.headers, ...headers } };
    },
  };
};
