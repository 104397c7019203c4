import { type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import type { ContentAsset } from './product.ts';

/** The most pictures of one document that get a signed address; any others keep the address that they have. */
export const MOST_PICTURES = 50;
/** Signed addresses of pictures stay the same for this long, so that an answer keeps its ETag. */
export const PICTURE_PERIOD_MS = 60 * MINUTE_MS;
/** Every signed address of a picture lasts for at least this long. */
export const PICTURE_LEAST_MS = 15 * MINUTE_MS;

/** The whole period of the addresses that are given out at `now`. */
export const pictureSpan = (now: Instant): { readonly from: Instant; readonly until: Instant } => {
  const begin = millis(now) - (millis(now) % PICTURE_PERIOD_MS);
  return { from: toInstant(begin), until: toInstant(begin + PICTURE_PERIOD_MS + PICTURE_LEAST_MS) };
};

/*
 * The HTML below is the sanitizer's own: attributes stand in double quotes, and values have no plain & < > or ".
 */
const IMAGE = /(<img\b[^>]*? src=")([^"]*)(")/g;

const plain = (value: string): string =>
  value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The different addresses of the pictures in sanitized HTML, in their order; at most `MOST_PICTURES`. */
export const imageSources = (html: string): string[] =>
  [...new Set([...html.matchAll(IMAGE)].map(([, , src = '']) => plain(src)))].slice(0, MOST_PICTURES);

/** The sanitized HTML with other addresses for its pictures. */
export const withImageSources = (html: string, addresses: ReadonlyMap<string, string>): string =>
  html.replaceAll(IMAGE, (whole, before: string, src: string, after: string) => {
    const address = addresses.get(plain(src));
    return address === undefined ? whole : before + escaped(address) + after;
  });

/**
 * The path of the content asset that an address leads to, where `base` is the address that the product's assets lie
 * under. A relative address counts from there. Undefined for every other address.
 */
export const assetShown = (src: string, base: string): string | undefined => {
  const [url, root] = [URL.parse(src, base), new URL(base)];
  if (!url || url.origin !== root.origin || !url.pathname.startsWith(root.pathname)) return undefined;
  try {
    return decodeURIComponent(url.pathname.slice(root.pathname.length)) || undefined;
  } catch {
    return undefined;
  }
};

/** The assets that can be shown as pictures: those that a browser takes for an image. */
export const picturesAmong = (assets: readonly ContentAsset[]): ContentAsset[] =>
  assets.filter(({ content_type }) => content_type.startsWith('image/'));

/** The pictures whose paths a text of HTML contains, plain or percent-encoded. There may be others among them. */
export const picturesNamed = (html: string | null, assets: readonly ContentAsset[]): ContentAsset[] =>
  picturesAmong(assets).filter(({ path }) =>
    [path, path.split('/').map(encodeURIComponent).join('/')].some((name) => html?.includes(name)),
  );
