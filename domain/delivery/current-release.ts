import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { channelOffers } from './channel.ts';
import type { InstallChoice, InstallRefusal } from './install-plan.ts';
import { artifactFor, isCovered, type Release } from './release.ts';
import { newestFirst, type VersionOrder } from './version-order.ts';

/** The newest stable release. It is the "current" one wherever no channel is asked for. */
export const currentRelease = (releases: readonly Release[], order: VersionOrder): Release | undefined =>
  releases.filter((release) => channelOffers('stable', release.channel)).sort(newestFirst(order))[0];

/**
 * The file of the bundle endpoint: the current release's platform-neutral artifact, or its only one. A current release
 * outside the update window is refused and not replaced by an older one, as specified; the install plan offers
 * the versions that the buyer may still install.
 */
export const currentBundle = (
  releases: readonly Release[],
  updatesUntil: Instant | null,
  order: VersionOrder,
): Outcome<InstallChoice, InstallRefusal> => {
  const release = currentRelease(releases, order);
  const artifact = release && artifactFor(release, null);
  if (!release || !artifact) {
    return refuse('install_not_available', {
      message: release
        ? 'This product has a file for each platform; ask for an install plan that names yours.'
        : 'This product has no released file.',
    });
  }
  if (!isCovered(release, updatesUntil)) {
    return refuse('version_update_window_expired', {
      message: `Version ${release.version} came out after your update window ended; renew it, or install an earlier version by an install plan.`,
    });
  }
  return ok({ release, artifact });
};

/** True where the current release is newer than the client's version. A missing version is older than every release. */
export const updateAvailable = (current: Release, clientVersion: string | null, order: VersionOrder): boolean =>
  clientVersion === null || order.compare(current.version, clientVersion) > 0;
