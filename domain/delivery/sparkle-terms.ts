import type { Localized } from '../shared/locale.ts';

/** A build number as Sparkle compares it (`CFBundleVersion`): numbers with single dots between them. */
export const BUILD = /^\d+(?:\.\d+)*$/;

/** A version of macOS in one to three parts. */
export const SYSTEM_VERSION = /^\d+(?:\.\d+){0,2}$/;

export const LONGEST_BUILD = 64;
export const LONGEST_SYSTEM_VERSION = 32;

export const isBuild = (text: string): boolean => text.length <= LONGEST_BUILD && BUILD.test(text);

export const isSystemVersion = (text: string): boolean =>
  text.length <= LONGEST_SYSTEM_VERSION && SYSTEM_VERSION.test(text);

/** A version of macOS in the three parts that Sparkle's documentation asks for: `13` is `13.0.0`. */
export const inThreeParts = (version: string): string => [...version.split('.'), '0', '0'].slice(0, 3).join('.');

/**
 * What a release tells Sparkle beside its version and its file (Sparkle, "Publishing an update"). Versions of the
 * application are build numbers throughout. Every member may be null: then Sparkle is told nothing of it.
 */
export type SparkleTerms = {
  readonly minimum_system_version: string | null;
  readonly maximum_system_version: string | null;
  /** Older builds take this release for a major upgrade: it is never installed without asking. */
  readonly minimum_autoupdate_version: string | null;
  /** Who skipped the major upgrade at an older build is asked again. */
  readonly ignore_skipped_upgrades_below_version: string | null;
  /** Shown at once and not to be skipped, by every build or only by those below one. */
  readonly critical: { readonly below_version: string | null } | null;
  /** Leads to `link` instead of installing itself, for every build or only for those named or below one. */
  readonly informational: { readonly versions: readonly string[]; readonly below_version: string | null } | null;
  /** A page about the release, http or https. */
  readonly link: string | null;
  /** Pages with the release notes, which take the place of the notes in the feed. */
  readonly release_notes_link: Localized | null;
  /** A page with the notes of all releases. */
  readonly full_release_notes_link: string | null;
  /** Seconds between the groups that are told of the release one after another. */
  readonly phased_rollout_interval: number | null;
};

export const NO_TERMS: SparkleTerms = {
  minimum_system_version: null,
  maximum_system_version: null,
  minimum_autoupdate_version: null,
  ignore_skipped_upgrades_below_version: null,
  critical: null,
  informational: null,
  link: null,
  release_notes_link: null,
  full_release_notes_link: null,
  phased_rollout_interval: null,
};
