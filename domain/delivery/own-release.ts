import type { Instant } from '../shared/instant.ts';
import { CHANNELS, channelOffers } from './channel.ts';
import { currentRelease } from './current-release.ts';
import { isCovered, type Release } from './release.ts';
import type { ReleaseLine } from './release-line.ts';

export type OwnRelease = {
  /** The newest covered release with a file, of the most stable channel that has one; null where there is none. */
  readonly release: Release | null;
  /** The newest stable release, where it is newer than that and not covered. */
  readonly uncovered: Release | null;
};

/** The release that an owner should install, and the one that a longer update window would bring. */
export const ownRelease = (line: ReleaseLine, updatesUntil: Instant | null): OwnRelease => {
  const covered = line.offered.filter((release) => isCovered(release, updatesUntil) && release.artifacts.length > 0);
  const [release = null] = CHANNELS.flatMap((channel) =>
    covered.filter(({ channel: released }) => channelOffers(channel, released)).slice(0, 1),
  );
  const current = currentRelease(line) ?? null;
  const isMissed =
    current !== null &&
    !isCovered(current, updatesUntil) &&
    (release === null || line.order.compare(current.version, release.version) > 0);
  return { release, uncovered: isMissed ? current : null };
};
