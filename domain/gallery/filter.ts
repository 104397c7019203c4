import type { MODES, PLATFORMS_SHOWN } from '../collect/capture.ts';
import type { AppSlug, Lang, Viewport } from '../collect/run.ts';

/** `newest`: the screen that was seen first most recently comes first. */
export const SORTS = ['newest', 'oldest'] as const;

/** The screens to list. Every condition that is not null or empty has to hold. */
export type ScreenFilter = {
  readonly q: string | null;
  readonly platform: (typeof PLATFORMS_SHOWN)[number] | null;
  readonly viewport: Viewport | null;
  readonly lang: Lang | null;
  readonly mode: (typeof MODES)[number] | null;
  readonly kind: string | null;
  /** A screen has all of these patterns. */
  readonly patterns: readonly string[];
  /** A screen has all of these elements. */
  readonly components: readonly string[];
  readonly app: AppSlug | null;
  /** The slug of a flow; it counts only together with `app`. */
  readonly flow: string | null;
};

export type ScreenOrder = (typeof SORTS)[number];

export const NO_FILTER: ScreenFilter = {
  q: null,
  platform: null,
  viewport: null,
  lang: null,
  mode: null,
  kind: null,
  patterns: [],
  components: [],
  app: null,
  flow: null,
};
