import type { Instant } from '../shared/instant.ts';
import { CHANNELS, channelOffers } from './channel.ts';
import { currentRelease } from './current-release.ts';
import { isCovered, type Release } from './release.ts';
import { newestFirst, type VersionOrder } from './version-order.ts';

export type OwnRelease = {
  /** The newest release that a license covers, of the most stable channel that has one; null where there is none. */
  readonly release: Release | null;
  /** The newest stable release, where it is a newer one that the license does not cover. */
  readonly uncovered: Release | null;
};

/** The release that an owner should install, and the one that a longer update window would bring. */
export const ownRelease = (
  releases: readonly Release[],
  updatesUntil: Instant | null,
  order: VersionOrder,
): OwnRelease => {
  const covered = releases.filter((release) => isCovered(release, updatesUntil)).sort(newestFirst(order));
  const [release = null] = CHANNELS.flatMap((channel) =>
    covered.filter(({ channel: released }) => channelOffers(channel, released)).slice(0, 1),
  );
  const current = currentRelease(releases, order) ?? null;
  const isNewer = current !== null && !isCovered(current, updatesUntil);
  return { release, uncovered: isNewer ? current : null };
};
