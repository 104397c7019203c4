import { invalid } from '../../shared/fault.ts';
import { MAX_PIXELS } from '../../shared/image-head.ts';
import type { Instant } from '../../shared/instant.ts';
import { type Outcome, ok } from '../../shared/outcome.ts';
import type { PromisedImage, StoredFile, StoredImage } from '../../shared/stored-file.ts';
import type { AppSlug, Lang, Viewport } from './run.ts';

export const ASSET_TYPES = ['css', 'js'] as const;
export const OUTCOMES = ['ok', 'failed', 'redirected'] as const;

/** The maximum size of uploaded files (10,240 and 30,720 KiB). */
export const MAX_ASSET_BYTES = 10_240 * 1024;
export const MAX_IMAGE_BYTES = 30_720 * 1024;
export const MAX_HTML_BYTES = 10_240 * 1024;

export type RunAsset = StoredFile & {
  readonly type: (typeof ASSET_TYPES)[number];
  /** The URL that pages load it from. */
  readonly url: string;
};

/** A file that one page loads, by the sha256 of a run's asset. */
export type PageAsset = { readonly url: string; readonly sha256: string };

/** The platforms, color modes and so on that a collector may report. */
export const PLATFORMS_SHOWN = ['web', 'ios', 'android', 'macos', 'windows', 'linux'] as const;
export const MODES = ['light', 'dark'] as const;

/** True for a valid taxonomy key: 1 to 60 lower-case letters, digits and hyphens. */
export const isTermKey = (text: string): boolean => /^[a-z0-9-]{1,60}$/.test(text);

/** The facts of a page from its collector's `meta`; null if there are none. */
export type CaptureMeta = {
  readonly title: string | null;
  readonly app: AppSlug | null;
  /** The name of the page's flow, and the page's position in it, starting at 1. */
  readonly flow: string | null;
  readonly step: number | null;
  readonly platform: (typeof PLATFORMS_SHOWN)[number] | null;
  readonly mode: (typeof MODES)[number] | null;
  /** The key of a page type of the taxonomy. */
  readonly kind: string | null;
  /** Keys of taxonomy patterns, in addition to those found in the page's HTML. */
  readonly patterns: readonly string[];
};

/** One page as a collector saw it. */
export type Capture = {
  readonly run_id: number;
  /** The position in the run, starting at 1, in the order of arrival. */
  readonly number: number;
  /** 40 characters that identify the page, its viewport and language across runs. */
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
  /** Like an image, the upload may still be pending, so the object can be missing. */
  readonly html: StoredFile | null;
  /** The files that the page loads; null if the collector lists none, so that any asset of the run may apply. */
  readonly assets: readonly PageAsset[] | null;
  readonly received_at: Instant;
};

/** The facts in an image's header. */
export type MeasuredImage = Pick<StoredImage, 'type' | 'width' | 'height'>;

/** Accepts a PNG or JPEG of at most 40 megapixels. */
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

/** The checksum and size in bytes that a collector announces for a file; null if it announces none. */
export type ToldFile = { readonly sha256: string | null; readonly size: number | null };

/**
 * The file that a collector announces instead of sending it in the form; null if there is none. Checksum and size go
 * together. A file in the form must match them.
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

/** An announced image. Its type and dimensions are unknown until it is uploaded; the replay measures it. */
export const promisedImage = ({ sha256, size }: StoredFile): PromisedImage => ({
  sha256,
  size,
  type: null,
  width: null,
  height: null,
});
