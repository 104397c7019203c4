import { invalid } from '../../shared/fault.ts';
import type { Instant } from '../../shared/instant.ts';
import { type Outcome, ok } from '../../shared/outcome.ts';
import type { PromisedImage, StoredFile, StoredImage } from '../../shared/stored-file.ts';
import type { AppSlug, Lang, Viewport } from './run.ts';

export const ASSET_TYPES = ['css', 'js'] as const;
export const OUTCOMES = ['ok', 'failed', 'redirected'] as const;

/** The most bytes of uploaded files (10,240 and 30,720 KiB). */
export const MAX_ASSET_BYTES = 10_240 * 1024;
export const MAX_IMAGE_BYTES = 30_720 * 1024;
export const MAX_HTML_BYTES = 10_240 * 1024;

export type RunAsset = StoredFile & {
  readonly type: (typeof ASSET_TYPES)[number];
  /** The address that the pages load it from. */
  readonly url: string;
};

/** A file that one page loads, by the sha256 of a run's asset. */
export type PageAsset = { readonly url: string; readonly sha256: string };

/** The platforms, color modes and the like that a collector may tell of a page. */
export const PLATFORMS_SHOWN = ['web', 'ios', 'android', 'macos', 'windows', 'linux'] as const;
export const MODES = ['light', 'dark'] as const;

/** True for a key that a word of the taxonomy may have: 1 to 60 small letters, digits and hyphens. */
export const isTermKey = (text: string): boolean => /^[a-z0-9-]{1,60}$/.test(text);

/** The facts of a page that its collector tells in `meta`; null if it tells nothing. */
export type CaptureMeta = {
  readonly title: string | null;
  readonly app: AppSlug | null;
  /** The name of the flow that the page belongs to, and the page's place in it from 1 on. */
  readonly flow: string | null;
  readonly step: number | null;
  readonly platform: (typeof PLATFORMS_SHOWN)[number] | null;
  readonly mode: (typeof MODES)[number] | null;
  /** The key of a page type of the taxonomy. */
  readonly kind: string | null;
  /** Keys of patterns of the taxonomy, beside those that the page's HTML shows. */
  readonly patterns: readonly string[];
};

/** One page as a collector saw it. */
export type Capture = {
  readonly run_id: number;
  /** The place in the run, from 1 on, in the order of arrival. */
  readonly number: number;
  /** 40 characters that name the page, its viewport and language in every run. */
  readonly key: string;
  readonly url: string;
  readonly viewport: Viewport;
  readonly lang: Lang;
  readonly auth: boolean;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly message: string | null;
  readonly login_stage: boolean | null;
  readonly saved_state: boolean | null;
  readonly final_url: string | null;
  readonly http_status: number | null;
  readonly meta: CaptureMeta;
  readonly image: StoredImage | PromisedImage | null;
  /** The bytes may be promised, as those of an image may: then the store may lack them. */
  readonly html: StoredFile | null;
  /** The files that the page loads; null if the collector lists none: every asset of the run may count then. */
  readonly assets: readonly PageAsset[] | null;
  readonly received_at: Instant;
};

/** The most pixels of a captured image. */
export const MAX_PIXELS = 40_000_000;

/** The facts of an image that its head tells. */
export type MeasuredImage = Pick<StoredImage, 'type' | 'width' | 'height'>;

/** Lets an image pass that is a PNG or a JPEG of at most 40 megapixels. */
export const judgeImage = (measured: MeasuredImage | undefined): Outcome<MeasuredImage, 'validation_failed'> => {
  if (measured === undefined)
    return invalid({ image: ['The image field must be a PNG or a JPEG image of at most 40 megapixels.'] });
  const { width, height } = measured;
  if (width < 1 || height < 1 || width * height > MAX_PIXELS) {
    return invalid({ image: [`The image field must have at most ${MAX_PIXELS} pixels; it has ${width} × ${height}.`] });
  }
  return ok(measured);
};

export const CAPTURE_FILES = ['image', 'html'] as const;
export type CaptureFile = (typeof CAPTURE_FILES)[number];

/** The sum and the size in bytes that a collector tells of a file; null if it tells nothing. */
export type ToldFile = { readonly sha256: string | null; readonly size: number | null };

/**
 * The file that a collector promises instead of one in the form; null if it promises none. Sum and size go together. A
 * file that is in the form has to be the one that they tell of.
 */
export const judgePromise = (
  part: CaptureFile,
  { sha256, size }: ToldFile,
  received: StoredFile | null,
): Outcome<StoredFile | null, 'validation_failed'> => {
  if (received !== null) {
    const isSame = sha256 === null || sha256 === received.sha256;
    return isSame
      ? ok(null)
      : invalid({ [`${part}_sha256`]: [`The ${part}_sha256 field must be the SHA-256 of the ${part} that was sent.`] });
  }
  if (sha256 === null && size === null) return ok(null);
  if (size === null) {
    return invalid({ [`${part}_size`]: [`The ${part}_size field is required when ${part}_sha256 is present.`] });
  }
  if (sha256 === null) {
    return invalid({ [`${part}_sha256`]: [`The ${part}_sha256 field is required when ${part}_size is present.`] });
  }
  return ok({ sha256, size });
};

/** A promised image. Nobody knows its type and dimensions before the bytes are there; the replay measures them. */
export const promisedImage = ({ sha256, size }: StoredFile): PromisedImage => ({
  sha256,
  size,
  type: null,
  width: null,
  height: null,
});
