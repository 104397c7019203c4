import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { type Channel, channelOffers, type Platform } from './channel.ts';
import { type Artifact, artifactFor, isCovered, type Release } from './release.ts';
import { newestFirst, type VersionOrder } from './version-order.ts';

export type InstallWish = {
  readonly channel: Channel;
  readonly platform: Platform | null;
  /** The id of one release, instead of the newest of the channel. */
  readonly release: number | null;
};

export type InstallChoice = { readonly release: Release; readonly artifact: Artifact };

export type InstallRefusal = 'install_not_available' | 'version_update_window_expired';

/**
 * Picks what to install: the newest release that the channel offers, that lies within the update window and that has an
 * artifact for the platform. A named release is taken whatever its channel, but never outside the window.
 */
export const chooseInstall = (
  releases: readonly Release[],
  updatesUntil: Instant | null,
  wish: InstallWish,
  order: VersionOrder,
): Outcome<InstallChoice, InstallRefusal> => {
  const named = wish.release === null ? undefined : releases.find((release) => release.id === wish.release);
  if (named && !isCovered(named, updatesUntil)) {
    return refuse('version_update_window_expired', {
      message: `Version ${named.version} came out after your update window ended; renew it or install an earlier one.`,
    });
  }
  const offered =
    wish.release === null ? releases.filter((r) => channelOffers(wish.channel, r.channel)) : named ? [named] : [];
  for (const release of offered.filter((r) => isCovered(r, updatesUntil)).sort(newestFirst(order))) {
    const artifact = artifactFor(release, wish.platform);
    if (artifact) return ok({ release, artifact });
  }
  return refuse('install_not_available', { message: nothingToInstall(wish) });
};

const nothingToInstall = ({ channel, platform, release }: InstallWish): string => {
  const where = platform === null ? '' : ` for ${platform}`;
  if (release !== null) return `This product has no release ${release} with a file${where}.`;
  return platform === null
    ? `This product has nothing to install on channel ${channel} without a platform; name yours.`
    : `This product has nothing to install on channel ${channel}${where} within your update window.`;
};
