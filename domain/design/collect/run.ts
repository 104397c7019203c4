import type { Instant } from '../../shared/instant.ts';

/** The values that a run can be opened with. */
export const VIEWPORTS = ['desktop', 'mobile'] as const;
export const LANGS = ['ko', 'en'] as const;
export const APPS = ['core', 'accounts', 'app', 'asset', 'lecture', 'support', 'design'] as const;

export type Viewport = (typeof VIEWPORTS)[number];
export type Lang = (typeof LANGS)[number];
export type AppSlug = (typeof APPS)[number];

/** The stored states. `collecting` becomes `submitted` or `failed`; a submitted run is replayed. */
export const RUN_STATES = ['collecting', 'submitted', 'replaying', 'replayed', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** An account that the collector looked for, as reported with the submission. */
export type CollectedAccount = { readonly found: boolean; readonly reason: string | null };

/** Progress of a run's replay: captures `done`, of `total`. */
export type ReplayProgress = {
  readonly total: number;
  readonly done: number;
  readonly screens_added: number;
  readonly screens_changed: number;
  readonly screens_unchanged: number;
  /** Captures without a screen, because the collector reported them as failed or redirected. */
  readonly skipped: number;
  readonly problems: number;
};

export const PROBLEM_CODES = [
  'asset_missing',
  'page_refused',
  'image_refused',
  'image_missing',
  'capture_failed',
] as const;

/** A fault of one capture. The capture's screen is created as far as possible. */
export type ReplayProblem = {
  readonly capture: number;
  readonly key: string;
  readonly code: (typeof PROBLEM_CODES)[number];
  /** One sentence for the collector's author. */
  readonly message: string;
};

export type CollectRun = {
  readonly id: number;
  readonly agent: { readonly id: number; readonly name: string };
  readonly state: RunState;
  readonly viewports: readonly Viewport[];
  readonly langs: readonly Lang[];
  /** The collected apps; null means every app. */
  readonly apps: readonly AppSlug[] | null;
  readonly opened_at: Instant;
  readonly submitted_at: Instant | null;
  /** The time at which the run failed or its replay ended. */
  readonly ended_at: Instant | null;
  readonly error: string | null;
  readonly accounts: readonly CollectedAccount[] | null;
  readonly build_versions: readonly string[] | null;
  readonly replay: ReplayProgress | null;
};

export type Uploads = { readonly assets: number; readonly captures: number };

/** The collect lock. Its holder loses it at `expires_at`, which uploads extend. */
export type CollectLock = {
  readonly run_id: number;
  readonly agent_name: string;
  readonly opened_at: Instant;
  readonly expires_at: Instant;
};
