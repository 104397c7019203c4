import type { CaptureMeta } from '../../domain/collect/capture.ts';
import type { ScreenColor } from '../../domain/gallery/screen.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';

/** A captured page: its HTML as it was sent, its address, and the style sheets that it loads, by their addresses. */
export type CapturedPage = {
  readonly html: Uint8Array;
  readonly url: string;
  readonly styles: readonly { readonly url: string; readonly css: Uint8Array }[];
  /** The colours that the page was seen in; light where nobody told. */
  readonly mode: CaptureMeta['mode'];
};

/** A style sheet that was made harmless: no import, and no address outside the data it holds. */
export type HarmlessStyle = { readonly sha256: string; readonly css: Uint8Array };

/** A captured page after reading. */
export type ReadPage = {
  readonly title: string | null;
  readonly description: string | null;
  /** The visible text, spaces folded, cut at 4,000 characters. */
  readonly text: string;
  /** `lang` of the page's root, in lower case. */
  readonly lang: string | null;
  /** The number of elements of each kind, by the keys of `domain/gallery/elements.ts`. */
  readonly elements: Readonly<Record<string, number>>;
  readonly colors: readonly ScreenColor[];
  readonly fonts: readonly string[];
  /** The page without scripts, handlers and addresses outside. Its style sheets are at `/media/<sha256>.css`. */
  readonly html: Uint8Array;
  readonly styles: readonly HarmlessStyle[];
  /** The addresses of style sheets that the page loads and `styles` lacks. */
  readonly missing: readonly string[];
};

/** Reads hostile pages within a bounded time and memory. */
export interface PageReader {
  /** The addresses of the style sheets that a page loads, resolved, in their order. The codes are those of `read`. */
  sheets(page: Pick<CapturedPage, 'html' | 'url'>): Promise<Outcome<readonly string[], 'page_refused'>>;
  /** `page_refused` has a sentence: nested too deep, too large, or not read in time. */
  read(page: CapturedPage): Promise<Outcome<ReadPage, 'page_refused'>>;
}

export type Thumbnail = {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
};

/** Reads hostile images within a bounded time and memory. */
export interface ImageReader {
  /**
   * The type and dimensions by the image's head alone; undefined where it is no PNG or JPEG, or one of more than 40
   * megapixels. The first 256 KiB of an image are enough.
   */
  measure(
    head: Uint8Array,
  ): { readonly type: 'image/png' | 'image/jpeg'; readonly width: number; readonly height: number } | undefined;
  /** A JPEG of 480 pixels' width and at most 960 pixels' height, from the top of the image. */
  thumbnail(image: Uint8Array): Promise<Outcome<Thumbnail, 'image_refused'>>;
}
