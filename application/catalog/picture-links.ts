import {
  assetShown,
  imageSources,
  pictureSpan,
  picturesAmong,
  withImageSources,
} from '../../domain/catalog/pictures.ts';
import type { ContentAsset } from '../../domain/catalog/product.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'clock' | 'links' | 'objects'>;

/** The most signed addresses that a process remembers. */
const REMEMBERED = 5000;

/**
 * Gives the pictures in a product's HTML addresses that a web view can load, because it sends no key. The caller must
 * be allowed to see the product's assets. All calls of one period (`pictureSpan`) give the same addresses.
 */
export const pictureLinks = ({ links, objects, clock }: Ports) => {
  let signedUntil = '';
  const signed = new Map<string, Promise<string>>();

  const addressOf = async ({ path, sha256, content_type }: ContentAsset): Promise<string> => {
    const { from, until } = pictureSpan(clock.now());
    if (until !== signedUntil || signed.size >= REMEMBERED) signed.clear();
    signedUntil = until;
    const filename = path.slice(path.lastIndexOf('/') + 1);
    const name = JSON.stringify([sha256, filename, content_type]);
    const known = signed.get(name);
    if (known) return known;
    const terms = { filename, contentType: content_type, signedAt: from, expiresAt: until };
    const address = objects.signDownload(objectKeyOf(sha256), terms).then(({ url }) => url);
    signed.set(name, address);
    address.catch(() => signed.delete(name));
    return address;
  };

  /** Sanitized HTML in which each picture among `assets` has a signed address. */
  const shown = async (html: string, productId: number, assets: readonly ContentAsset[]): Promise<string> => {
    const pictures = new Map(picturesAmong(assets).map((asset) => [asset.path, asset]));
    if (pictures.size === 0) return html;
    const base = links.contentAsset(productId, '');
    const found = imageSources(html).flatMap((src) => {
      const picture = pictures.get(assetShown(src, base) ?? '');
      return picture ? [{ src, picture }] : [];
    });
    const signed = found.map(async ({ src, picture }) => [src, await addressOf(picture)] as const);
    return found.length === 0 ? html : withImageSources(html, new Map(await Promise.all(signed)));
  };

  return { shown };
};

export type PictureLinks = ReturnType<typeof pictureLinks>;
