import { type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import type { ContentAsset } from './product.ts';

/** The maximum number of pictures of a document that get a signed URL; others keep their URL. */
export const MOST_PICTURES = 50;
/** Signed picture URLs stay the same for this long, so an answer keeps its ETag. */
export const PICTURE_PERIOD_MS = 60 * MINUTE_MS;
/** The minimum validity of a signed picture URL. */
export const PICTURE_LEAST_MS = 15 * MINUTE_MS;

/** The validity period of URLs issued at `now`. */
export const pictureSpan = (now: Instant): { readonly from: Instant; readonly until: Instant } => {
  const begin = millis(now) - (millis(now) % PICTURE_PERIOD_MS);
  return { from: toInstant(begin), until: toInstant(begin + PICTURE_PERIOD_MS + PICTURE_LEAST_MS) };
};

/* The HTML below comes from the sanitizer: attributes are in double quotes, and values have no unescaped & < > or ". */
const IMAGE = /(<img\b[^>]*? src=")([^"]*)(")/g;

const plain = (value: string): string =>
  value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The distinct picture URLs in sanitized HTML, in order; at most `MOST_PICTURES`. */
export const imageSources = (html: string): string[] =>
  [...new Set([...html.matchAll(IMAGE)].map(([, , src = '']) => plain(src)))].slice(0, MOST_PICTURES);

/** The sanitized HTML with replaced picture URLs. */
export const withImageSources = (html: string, addresses: ReadonlyMap<string, string>): string =>
  html.replaceAll(IMAGE, (whole, before: string, src: string, after: string) => {
    const address = addresses.get(plain(src));
    return address === undefined ? whole : before + escaped(address) + after;
  });

/**
 * The path of the content asset that a URL refers to. `base` is the URL of the product's assets; relative URLs are
 * resolved against it. Undefined for any other URL.
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

/** The assets that a browser can show as pictures. */
export const picturesAmong = (assets: readonly ContentAsset[]): ContentAsset[] =>
  assets.filter(({ content_type }) => content_type.startsWith('image/'));

/** The pictures whose paths occur in the HTML, plain or percent-encoded. There may be false positives. */
export const picturesNamed = (html: string | null, assets: readonly ContentAsset[]): ContentAsset[] =>
  picturesAmong(assets).filter(({ path }) =>
    [path, path.split('/').map(encodeURIComponent).join('/')].some((name) => html?.includes(name)),
  );
