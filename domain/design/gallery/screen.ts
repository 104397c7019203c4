import type { Instant } from '../../shared/instant.ts';
import type { StoredFile, StoredImage } from '../../shared/stored-file.ts';
import type { CaptureMeta, MODES, PLATFORMS_SHOWN } from '../collect/capture.ts';
import { APPS, type AppSlug, type Lang, type Viewport } from '../collect/run.ts';

const NAMES: Readonly<Record<AppSlug, string>> = {
  core: 'Core',
  accounts: 'Accounts',
  app: 'App',
  asset: 'Assets',
  lecture: 'Lectures',
  support: 'Support',
  design: 'Design',
};

/** An app of the gallery. Its id is its position in APPS, starting at 1. */
export type GalleryApp = { readonly id: number; readonly slug: AppSlug; readonly name: string };

export const GALLERY_APPS: readonly GalleryApp[] = APPS.map((slug, n) => ({ id: n + 1, slug, name: NAMES[slug] }));

export const appId = (slug: AppSlug): number => APPS.indexOf(slug) + 1;

/** The parts of a screen that a list shows. */
export type ScreenCard = {
  /** 1, 2, 3 and so on, in the order in which screens were first seen. */
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly app: AppSlug;
  readonly flow: { readonly slug: string; readonly name: string };
  /** The position in the flow, starting at 1; null if unknown. */
  readonly step: number | null;
  readonly platform: NonNullable<CaptureMeta['platform']>;
  readonly viewport: Viewport;
  readonly lang: Lang;
  readonly mode: NonNullable<CaptureMeta['mode']>;
  readonly kind: string;
  /** Keys of patterns, sorted. */
  readonly patterns: readonly string[];
  /** Keys of elements, sorted. */
  readonly components: readonly string[];
  readonly image: StoredImage;
  readonly thumbnail: StoredImage;
  readonly captured_at: Instant;
  readonly added_at: Instant;
};

/** A color with its share of the declarations with colors, 0 to 1. `hex` is `#rrggbb`. */
export type ScreenColor = { readonly hex: string; readonly share: number };

/** The parts of a screen that only its own page shows. */
export type ScreenDetail = {
  /** The capture's key, which identifies the screen across runs. */
  readonly key: string;
  readonly run_id: number;
  readonly final_url: string | null;
  readonly http_status: number | null;
  /** The visitor was signed in. */
  readonly auth: boolean;
  /** The page is a step of signing in, or shows a previously saved state; null if the collector doesn't say. */
  readonly login_stage: boolean | null;
  readonly saved_state: boolean | null;
  /** The number of elements of each kind, by the element's key. */
  readonly elements: Readonly<Record<string, number>>;
  /** At most 12, most used first. */
  readonly colors: readonly ScreenColor[];
  /** Font families, at most 8, most used first. */
  readonly fonts: readonly string[];
  /** The visible text, cut to 4,000 characters, which `q` searches. */
  readonly text: string;
  /** The saved, sanitized page; null if the capture has no HTML, or HTML that can't be sanitized. */
  readonly page: StoredFile | null;
};

export type Screen = ScreenCard & ScreenDetail;

/** A screen without the fields that the gallery adds: the id and the time it was first seen. */
export type ScreenDraft = Omit<Screen, 'id' | 'added_at'>;

/** `newest`: by the time a screen was first seen, latest first. */
export const GALLERY_SORTS = ['newest', 'oldest'] as const;

/** A filter for screens. Every condition that is not null or empty must hold. */
export type ScreenFilter = {
  readonly q: string | null;
  readonly platform: (typeof PLATFORMS_SHOWN)[number] | null;
  readonly viewport: Viewport | null;
  readonly lang: Lang | null;
  readonly mode: (typeof MODES)[number] | null;
  readonly kind: string | null;
  /** Screens with all of these patterns match. */
  readonly patterns: readonly string[];
  /** Screens with all of these elements match. */
  readonly components: readonly string[];
  /** One of the colors of a screen, as `#rrggbb`. */
  readonly color: string | null;
  readonly app: AppSlug | null;
  /** The slug of a flow; only used together with `app`. */
  readonly flow: string | null;
};

export type ScreenOrder = (typeof GALLERY_SORTS)[number];

export const NO_FILTER: ScreenFilter = {
  q: null,
  platform: null,
  viewport: null,
  lang: null,
  mode: null,
  kind: null,
  patterns: [],
  components: [],
  color: null,
  app: null,
  flow: null,
};
