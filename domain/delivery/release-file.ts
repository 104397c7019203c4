import type { Platform } from '../catalog/platform.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';
import { withdrawnMessage } from './offered-release.ts';
import { type Artifact, artifactFor, type Delta, isCovered, type Release } from './release.ts';

/** Which file of a release. */
export type FileChoice = {
  /** Null: the file for every platform, or the only one. */
  readonly platform: Platform | null;
  /** The build that a patch is for, instead of the whole file. */
  readonly delta: string | null;
};

export const noSuchRelease = (): Refused<'not_found'> => refuse('not_found', { message: 'There is no such release.' });

/**
 * The release with an id, for a reader who may have the releases up to a moment; null is no end. A release whose moment
 * is to come answers as one that does not exist.
 */
export const coveredRelease = (
  releases: readonly Release[],
  releaseId: number,
  updatesUntil: Instant | null,
  now: Instant,
): Outcome<Release, 'not_found' | 'install_not_available' | 'version_update_window_expired'> => {
  const release = releases.find(({ id }) => id === releaseId);
  if (!release || release.released_at > now) return noSuchRelease();
  if (release.withdrawn) return refuse('install_not_available', { message: withdrawnMessage(release) });
  if (isCovered(release, updatesUntil)) return ok(release);
  return refuse('version_update_window_expired', {
    message: `Version ${release.version} came out after your update window ended; renew it or download an earlier one.`,
  });
};

/** The file of a release that was chosen, for a product that runs on some platforms (`productPlatforms`). */
export const fileOf = (
  release: Release,
  { platform, delta }: FileChoice,
  runsOn: readonly Platform[],
): Outcome<Artifact | Delta, 'install_not_available'> => {
  const artifact = artifactFor(release, platform, runsOn);
  const file = delta === null ? artifact : artifact?.deltas?.find(({ from_build }) => from_build === delta);
  if (file) return ok(file);
  return refuse('install_not_available', {
    message:
      delta !== null
        ? `Version ${release.version} has no patch from build ${delta}; download the whole file.`
        : platform === null
          ? `Version ${release.version} has a file for each platform; name yours by "platform".`
          : `Version ${release.version} has no file for ${platform}.`,
  });
};
