import { pictureHead } from '../shared/image-head.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { ContentAsset, Product } from './product.ts';

/** The bounds of a product's picture: bytes, and pixels of its longer side. */
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024;
export const MAX_PICTURE_SIDE = 4000;

const EXTENSIONS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;

/** Distinguishes the pictures that an owner uploaded from the files of a store document. */
const UPLOADED = 'uploaded-';

/** The content asset of an uploaded picture, whose type is that of its bytes. */
export const pictureAsset = (bytes: Uint8Array, sha256: string): Outcome<ContentAsset, 'unfit_picture'> => {
  const unfit = (message: string) => refuse('unfit_picture', { message });
  if (bytes.length > MAX_PICTURE_BYTES) return unfit('The picture is larger than 2 MiB; save a smaller one.');
  const head = pictureHead(bytes);
  if (!head) return unfit('The file is not a PNG, JPEG or WebP picture; choose another one.');
  const { type, width, height } = head;
  if (Math.min(width, height) < 1 || Math.max(width, height) > MAX_PICTURE_SIDE)
    return unfit(`The picture has ${width} × ${height} pixels; at most ${MAX_PICTURE_SIDE} are shown on a side.`);
  const path = `${UPLOADED}${sha256.slice(0, 16)}.${EXTENSIONS[type]}`;
  return ok({ path, sha256, size: bytes.length, content_type: type });
};

/** The assets with a new picture, without uploaded ones that the product no longer shows. */
export const withPicture = (
  assets: readonly ContentAsset[],
  { hero }: Pick<Product, 'hero'>,
  picture: ContentAsset,
): ContentAsset[] => [
  ...assets.filter(({ path }) => path !== picture.path && (!path.startsWith(UPLOADED) || path === hero?.path)),
  picture,
];
