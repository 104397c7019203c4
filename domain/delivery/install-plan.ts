import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { CHANNELS, type Channel, channelOffers, type Platform } from './channel.ts';
import { type Artifact, artifactFor, isCovered, type Release } from './release.ts';
import { newestFirst, type VersionOrder } from './version-order.ts';

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
 * the platform. A release named by id is taken whatever its channel, but it is refused outside the window.
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
  const covered = offered.filter((r) => isCovered(r, updatesUntil));
  for (const release of covered.sort(newestFirst(order))) {
    const artifact = artifactFor(release, wish.platform);
    if (artifact) return ok({ release, artifact });
  }
  return refuse('install_not_available', { message: nothingToInstall(wish, { releases, offered, covered }) });
};

type Looked = Readonly<Record<'releases' | 'offered' | 'covered', readonly Release[]>>;

/** Names the first step that left no release, and a wider wish where that would help. */
const nothingToInstall = (
  { channel, platform, release }: InstallWish,
  { releases, offered, covered }: Looked,
): string => {
  const hasFiles = covered.some(({ artifacts }) => artifacts.length > 0);
  if (release !== null && offered.length === 0) return `This product has no release ${release}.`;
  if (releases.length === 0) return 'This product has nothing to install.';
  if (offered.length === 0) {
    const wider = CHANNELS.find((one) => releases.some((r) => channelOffers(one, r.channel)));
    return `This product has no release on channel ${channel}; ask for channel ${wider}.`;
  }
  if (covered.length === 0) {
    return `Every release of this product on channel ${channel} came out after your update window ended.`;
  }
  const what = release === null ? `What you can install on channel ${channel}` : `Release ${release}`;
  if (!hasFiles) return `${what} has no file.`;
  return platform === null
    ? `${what} has a file for each platform; name yours by "platform".`
    : `${what} has no file for ${platform}.`;
};
