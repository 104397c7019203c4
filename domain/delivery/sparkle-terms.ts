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

/** A version of macOS in three parts, as Sparkle's documentation requires: `13` becomes `13.0.0`. */
export const inThreeParts = (version: string): string => [...version.split('.'), '0', '0'].slice(0, 3).join('.');

/**
 * The Sparkle terms of a release in addition to its version and file (Sparkle, "Publishing an update"). Versions of the
 * application are build numbers throughout. A null field is omitted from the feed.
 */
export type SparkleTerms = {
  readonly minimum_system_version: string | null;
  readonly maximum_system_version: string | null;
  /** Builds below this one treat the release as a major upgrade, which Sparkle never installs without asking. */
  readonly minimum_autoupdate_version: string | null;
  /** Users who skipped the major upgrade at a build below this one are asked again. */
  readonly ignore_skipped_upgrades_below_version: string | null;
  /** The update is shown at once and can't be skipped, for every build or for the builds below one. */
  readonly critical: { readonly below_version: string | null } | null;
  /**
   * The update links to `link` instead of being installed, for every build, or for the named builds and those below
   * one.
   */
  readonly informational: { readonly versions: readonly string[]; readonly below_version: string | null } | null;
  /** A page about the release, http or https. */
  readonly link: string | null;
  /** Pages with the release notes. They replace the notes in the feed. */
  readonly release_notes_link: Localized | null;
  readonly full_release_notes_link: string | null;
  /** Seconds between the groups of a phased rollout. */
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
