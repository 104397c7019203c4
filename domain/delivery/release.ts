import type { Instant } from '../shared/instant.ts';
import type { Channel, Platform } from './channel.ts';
import type { SparkleTerms } from './sparkle-terms.ts';

/** A patch that makes one older build into the artifact that it belongs to. Its bytes are found under its sha256. */
export type Delta = {
  /** The build that it is applied to. */
  readonly from_build: string;
  readonly filename: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** As an artifact's. */
  readonly signature: string | null;
};

/** One file of a release. Its bytes are found in the object store under its sha256. */
export type Artifact = {
  /** Null: serves every platform. */
  readonly platform: Platform | null;
  readonly filename: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** File format such as `zip`, `vsix`, `tar.gz`, `bin`. */
  readonly format: string;
  /** Ed25519 over the file, base64, as Sparkle's `edSignature`; null where the store had no signing key at publish. */
  readonly signature: string | null;
  /** Left out where there are none. */
  readonly deltas?: readonly Delta[] | undefined;
};

export type Release = {
  readonly id: number;
  readonly product_id: number;
  readonly version: string;
  /** Digits-and-dots build number (`CFBundleVersion`), where the product has one; without it, it is in no appcast. */
  readonly build: string | null;
  readonly channel: Channel;
  readonly notes_en: string | null;
  readonly notes_ko: string | null;
  /** Where the release was made from, such as a commit. */
  readonly source_ref: string | null;
  readonly released_at: Instant;
  readonly artifacts: readonly Artifact[];
  /** Left out where there is nothing to tell Sparkle. */
  readonly sparkle?: SparkleTerms | undefined;
};

/** The artifact that serves a platform: its own before a neutral one. Without a platform, the neutral or the only one. */
export const artifactFor = (release: Release, platform: Platform | null): Artifact | undefined => {
  const neutral = release.artifacts.find((artifact) => artifact.platform === null);
  if (platform === null) return neutral ?? (release.artifacts.length === 1 ? release.artifacts[0] : undefined);
  return release.artifacts.find((artifact) => artifact.platform === platform) ?? neutral;
};

/** True where the buyer's update window, null meaning without end, reaches the release. */
export const isCovered = (release: Pick<Release, 'released_at'>, updatesUntil: Instant | null): boolean =>
  updatesUntil === null || release.released_at <= updatesUntil;
