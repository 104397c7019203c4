import { PLATFORMS, type Platform } from '../catalog/platform.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { CHANNELS, type Channel, channelOffers } from './channel.ts';
import { type Artifact, artifactFor, isCovered, type Release } from './release.ts';
import { type ReleaseLine, withdrawnMessage } from './release-line.ts';

export type InstallWish = {
  readonly channel: Channel;
  readonly platform: Platform | null;
  /** The id of one release; null takes the newest of the channel. */
  readonly release: number | null;
};

export type InstallChoice = { readonly release: Release; readonly artifact: Artifact };

export type InstallRefusal = 'install_not_available' | 'version_update_window_expired';

/**
 * Chooses the newest release that the channel offers, that lies within the update window and that has an artifact for
 * the platform. A release named by id is taken whatever its channel, but it is refused outside the window, and once it
 * was withdrawn.
 */
export const chooseInstall = (
  line: ReleaseLine,
  updatesUntil: Instant | null,
  wish: InstallWish,
): Outcome<InstallChoice, InstallRefusal> => {
  const withdrawn = line.withdrawn.find(({ id }) => id === wish.release);
  if (withdrawn) return refuse('install_not_available', { message: withdrawnMessage(withdrawn) });
  const named = line.offered.find(({ id }) => id === wish.release);
  if (named && !isCovered(named, updatesUntil)) {
    return refuse('version_update_window_expired', {
      message: `Version ${named.version} came out after your update window ended; renew it or install an earlier one.`,
    });
  }
  const asked =
    wish.release === null ? line.offered.filter((r) => channelOffers(wish.channel, r.channel)) : named ? [named] : [];
  const covered = asked.filter((r) => isCovered(r, updatesUntil));
  for (const release of covered) {
    const artifact = artifactFor(release, wish.platform, line.platforms);
    if (artifact) return ok({ release, artifact });
  }
  return refuse('install_not_available', { message: nothingToInstall(wish, line, { asked, covered }) });
};

/** The sentence that tells a client which channel to ask for, where its own has no release; null where none has any. */
export const widerChannel = ({ offered }: ReleaseLine, channel: Channel): string | null => {
  const wider = CHANNELS.find((one) => offered.some((release) => channelOffers(one, release.channel)));
  return wider === undefined ? null : `This product has no release on channel ${channel}; ask for channel ${wider}.`;
};

/** The end of a sentence about a missing file: the platforms that some release has a file for. */
export const platformsThereAre = (releases: readonly Release[], { platforms }: ReleaseLine): string => {
  const served = PLATFORMS.filter((one) => releases.some((release) => artifactFor(release, one, platforms)));
  return served.length === 0 ? 'leave out "platform"' : `there are files for ${served.join(', ')}`;
};

type Looked = Readonly<Record<'asked' | 'covered', readonly Release[]>>;

/** Names the first step that left no release, and a wider wish where that would help. */
const nothingToInstall = (
  { channel, platform, release }: InstallWish,
  line: ReleaseLine,
  { asked, covered }: Looked,
): string => {
  const hasFiles = covered.some(({ artifacts }) => artifacts.length > 0);
  if (release !== null && asked.length === 0) return `This product has no release ${release}.`;
  if (asked.length === 0) return widerChannel(line, channel) ?? 'This product has nothing to install.';
  if (covered.length === 0) {
    return `Every release of this product on channel ${channel} came out after your update window ended.`;
  }
  const what = release === null ? `What you can install on channel ${channel}` : `Release ${release}`;
  if (!hasFiles) return `${what} has no file.`;
  const there = platformsThereAre(covered, line);
  return platform === null
    ? `${what} has a file for each platform; name yours by "platform": ${there}.`
    : `${what} has no file for ${platform}; ${there}.`;
};
