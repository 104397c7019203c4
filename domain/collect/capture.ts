import type { Instant } from '../shared/instant.ts';
import type { PromisedImage, StoredFile, StoredImage } from '../shared/stored-file.ts';
import type { AppSlug, Lang, Viewport } from './run.ts';

export const ASSET_TYPES = ['css', 'js'] as const;
export const OUTCOMES = ['ok', 'failed', 'redirected'] as const;

/** The most bytes of uploaded files (specification: declared 10240 and 30720, in kilobytes). */
export const MAX_ASSET_BYTES = 10_240 * 1024;
export const MAX_IMAGE_BYTES = 30_720 * 1024;
export const MAX_HTML_BYTES = 10_240 * 1024;

/** A file that pages of a run load. */
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

/** The facts of a page that its collector tells in `meta`; null where it tells nothing. */
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

/** One page as a collector saw it (specification, Capture upload multipart fields). */
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
  /** The files that the page loads; null where the collector lists none: every asset of the run may count then. */
  readonly assets: readonly PageAsset[] | null;
  readonly received_at: Instant;
};
