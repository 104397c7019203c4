import type { Platform } from '../catalog/platform.ts';
import type { Instant } from '../shared/instant.ts';
import { CHANNELS, channelOffers } from './channel.ts';
import type { InstallChoice, ReleaseLine } from './offered-release.ts';
import { currentRelease } from './offered-release.ts';
import { artifactFor, isCovered, type Release } from './release.ts';

export type OwnRelease = {
  /** The newest covered file of each platform, of the most stable channel that has one. A file is listed once. */
  readonly files: readonly InstallChoice[];
  /** The newest release of those files, of the most stable channel; null where there are none. */
  readonly release: Release | null;
  /** The covered releases behind those files, newest first, which the owner may go back to; at most 20. */
  readonly older: readonly Release[];
  /** The newest stable release, where it is newer than that and not covered. */
  readonly uncovered: Release | null;
};

/** The most older releases in a list. */
const OLDER_LISTED = 20;

/** The files that an owner should install, and the release that a longer update window would bring. */
export const ownRelease = (line: ReleaseLine, updatesUntil: Instant | null): OwnRelease => {
  const covered = line.offered.filter((release) => isCovered(release, updatesUntil));
  const byChannel = CHANNELS.flatMap((channel) => covered.filter((release) => channelOffers(channel, release.channel)));
  const fileFor = (platform: Platform | null): InstallChoice[] => {
    for (const release of byChannel) {
      const artifact = artifactFor(release, platform, line.platforms);
      if (artifact) return [{ release, artifact }];
    }
    return [];
  };
  const chosen = line.listed.flatMap(fileFor);
  // A product may name only platforms that clients can't, and its files are for all of them.
  const all = chosen.length === 0 ? fileFor(null) : chosen;
  const files = all.filter(({ artifact }, n) => all.findIndex((one) => one.artifact === artifact) === n);
  const release = byChannel.find((one) => files.some((file) => file.release === one)) ?? null;
  const current = currentRelease(line) ?? null;
  const isMissed =
    current !== null &&
    !isCovered(current, updatesUntil) &&
    (release === null || line.order.compare(current.version, release.version) > 0);
  const older = covered.filter(
    (one) =>
      release !== null &&
      channelOffers(release.channel, one.channel) &&
      one.artifacts.length > 0 &&
      !files.some((file) => file.release === one),
  );
  return { files, release, older: older.slice(0, OLDER_LISTED), uncovered: isMissed ? current : null };
};
