import { objectReply } from '../../../host/object-reply.ts';
import type { HostHeaders } from '../../../host/request.ts';
import { sendReply } from '../../../http/node-requests.ts';
import { idIn } from '../form.ts';
import type { AccountPagesParts } from '../parts.ts';
import type { Paths } from '../paths.ts';

/** The types of pictures that browsers display, by file extension. */
const TYPES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
};

/** The path of a product's picture. Below `/assets/`, a request counts as a file and not as a page. */
export const picturePath = (product_id: number): string => `/assets/pictures/${product_id}`;

type PicturePaths = Pick<Paths, 'file'> & {
  readonly settings: { readonly parts: Pick<AccountPagesParts, 'catalogs' | 'openContentAsset'> };
};

/**
 * The pictures of the products that every account may see, or, with `hidden`, of all, for signed-in browsers. A picture
 * is the shop's file: opened by itself it runs no script and loads nothing.
 */
export const addPictures = (paths: PicturePaths, { hidden = false } = {}): void => {
  const { catalogs, openContentAsset } = paths.settings.parts;
  paths.file('/assets/pictures/:product', async (req, res) => {
    const product = (await catalogs.current()).products.get(idIn(String(req.params['product'])) ?? 0);
    const path = product && (hidden || product.published) ? product.hero?.path : undefined;
    const type = TYPES[path?.slice(path.lastIndexOf('.') + 1).toLowerCase() ?? ''];
    const found = product && path && type ? await openContentAsset({ product, path }) : undefined;
    if (!found?.ok || type === undefined) return false;
    const { sha256, size, filename, open } = found.value;
    const info = { sha256, size, etag: `"${sha256}"` };
    const object = {
      info,
      filename,
      contentType: type,
      disposition: 'inline',
      cacheControl: 'private, max-age=3600',
    } as const;
    const { status, headers, body } = await objectReply(
      { method: req.method, headers: req.headers as HostHeaders },
      object,
      open,
    );
    const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    await sendReply(res, { status, body, headers: { ...headers, 'content-security-policy': policy } });
    return true;
  });
};
