import { refuse } from '../../domain/shared/outcome.ts';
import { designObjectKey, type StoredFile } from '../../domain/shared/stored-file.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { HostRoute } from './host.ts';
import { objectReply } from './object-reply.ts';
import { refusalReply } from './reply.ts';

export type Parts = {
  readonly objects: Pick<ObjectStore, 'stat' | 'open'>;
  /** The saved page of a screen; null for a screen that is unknown or has none. */
  readonly pageOf: (screenId: number) => Promise<StoredFile | null>;
  /** The public address of the design host, without a slash at the end. */
  readonly design: string;
};

const ID = /^[1-9]\d{0,14}$/;

/** A saved page runs nothing, sends nothing, and loads the style sheets that were stored with it. */
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
 * The route of the pages that captures saved. Their authors are strangers: a page has an origin of its own
 * (`sandbox`), and the policy holds whatever the page's text says.
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
    counts: 'files',
    entry: async (request, { id = '' }) => {
      const page = ID.test(id) ? await pageOf(Number(id)) : null;
      const info = page && (await objects.stat(designObjectKey(page.sha256)));
      if (!info) return refusalReply(refuse('not_found'));
      const object = {
        info,
        filename: `screen-${id}.html`,
        contentType: 'text/html; charset=utf-8',
        disposition: 'inline',
        // The screen's page may be replaced by a later run; the ETag tells whether it was.
        cacheControl: 'public, no-cache',
      } as const;
      const reply = await objectReply(request, object, async (range) => (await objects.open(info.key, range))?.stream);
      return { ...reply, headers: { ...reply.headers, ...headers } };
    },
  };
};
