import type { Platform } from '../catalog/platform.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { type Channel, channelOffers } from './channel.ts';
import type { InstallChoice, InstallRefusal } from './install-plan.ts';
import { artifactFor, isCovered, type Release } from './release.ts';
import type { ReleaseLine } from './release-line.ts';
import type { VersionOrder } from './version-order.ts';

/**
 * The newest release that a channel offers; the newest with a file for a platform, where one is named. The newest
 * stable release is the "current" one wherever no channel is asked for.
 */
export const currentRelease = (
  { offered, platforms }: ReleaseLine,
  channel: Channel = 'stable',
  platform: Platform | null = null,
): Release | undefined =>
  offered.find(
    (release) =>
      channelOffers(channel, release.channel) && (platform === null || artifactFor(release, platform, platforms)),
  );

/** The newest version that is offered on each channel alone; null where there is none. */
export const newestByChannel = ({ offered }: ReleaseLine): Readonly<Record<Channel, string | null>> => {
  const newest = (channel: Channel) => offered.find((release) => release.channel === channel)?.version ?? null;
  return { stable: newest('stable'), beta: newest('beta'), alpha: newest('alpha'), dev: newest('dev') };
};

/**
 * The file of the bundle endpoint: the current release's platform-neutral artifact, or its only one. A current release
 * outside the update window is refused and not replaced by an older one, as specified; the install plan offers
 * the versions that the buyer may still install.
 */
export const currentBundle = (
  line: ReleaseLine,
  updatesUntil: Instant | null,
): Outcome<InstallChoice, InstallRefusal> => {
  const release = currentRelease(line);
  if (release && !isCovered(release, updatesUntil)) {
    return refuse('version_update_window_expired', {
      message: `Version ${release.version} came out after your update window ended; renew it, or install an earlier version by an install plan.`,
    });
  }
  const artifact = release && artifactFor(release, null, line.platforms);
  if (!release || !artifact) {
    return refuse('install_not_available', {
      message: release
        ? 'This product has a file for each platform; ask for an install plan that names yours.'
        : 'This product has no released file.',
    });
  }
  return ok({ release, artifact });
};

/** True where the current release is newer than the client's version. A missing version is older than every release. */
export const updateAvailable = (current: Release, clientVersion: string | null, order: VersionOrder): boolean =>
  clientVersion === null || order.compare(current.version, clientVersion) > 0;
